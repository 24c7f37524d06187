package fuzz

import "github.com/rouse-go/rouse/hooks/sync"

// A Gate counts the goroutines that are inside. Wait waits until all have left.
type Gate struct {
	mu     sync.Mutex
	left   *sync.Cond
	inside int
}

// NewGate returns a gate.
func NewGate() *Gate {
	g := new(Gate)
	g.left = sync.NewCond(&g.mu)
	return g
}

// Enter lets n goroutines in.
func (g *Gate) Enter(n int) {
	g.mu.Lock()
	g.inside += n
	g.mu.Unlock()
}

// Leave lets one goroutine out.
func (g *Gate) Leave() {
	g.mu.Lock()
	g.inside--
	last := g.inside == 0
	g.mu.Unlock()
	if last {
		g.left.Signal() // the defect: several goroutines may wait
	}
}

// Wait waits until no goroutine is inside.
func (g *Gate) Wait() {
	g.mu.Lock()
	for g.inside > 0 {
		g.left.Wait()
	}
	g.mu.Unlock()
}
