package moby

import (
	"sync"
	"testing"
)

// A plugin is active from its activation on. A handler that is registered later has to be run.
type plugin struct {
	mu          sync.Mutex
	activation  *sync.Cond
	active      bool
	handlersRan bool
}

func newPlugin() *plugin {
	p := new(plugin)
	p.activation = sync.NewCond(&p.mu)
	return p
}

func (p *plugin) activate() {
	p.mu.Lock()
	p.active, p.handlersRan = true, true
	p.mu.Unlock()
	p.activation.Broadcast()
}

// handle registers a handler. To have it run, it may make the plugin inactive, which nobody ends.
func (p *plugin) handle(deactivate bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if deactivate {
		p.active = false
	} else {
		p.handlersRan = false
	}
}

func (p *plugin) get() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for !p.active {
		p.activation.Wait()
	}
}

func moby29733(deactivate bool) {
	p := newPlugin()
	var users sync.WaitGroup
	for range 2 {
		users.Go(p.get)
	}
	p.activate()
	p.handle(deactivate)
	users.Wait()
}

func TestMoby29733(*testing.T) { moby29733(true) }

func TestMoby29733Fixed(*testing.T) { moby29733(false) }
