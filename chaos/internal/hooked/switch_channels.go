package hooked

import "github.com/rouse-go/rouse/internal/racing"

// channels switches by a channel for each goroutine: four times the cost of coroutines, but
// each goroutine is an ordinary one, which may be locked to its thread, and whose parking can
// be hidden from the race detector.
type channels struct{}

//go:norace
func (channels) start(h *host) { h.turn = make(chan struct{}, 1) }

//go:norace
func (channels) swap(from, to *host) {
	racing.Hide()
	to.turn <- struct{}{}
	<-from.turn
	racing.Show()
}

//go:norace
func (channels) release(to *host) {
	racing.Hide()
	to.turn <- struct{}{}
	racing.Show()
}

//go:norace
func (channels) await(h *host) {
	racing.Hide()
	<-h.turn
	racing.Show()
}

//go:norace
func (channels) stop([]*host) {}
