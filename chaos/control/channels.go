package control

import "github.com/rouse-go/rouse/chaos/internal/racing"

// channels switches by a channel for each goroutine: four times the price of
// coroutines, but each goroutine is an ordinary one, which may be locked to its
// thread, and whose parking can be hidden from the race detector.
type channels struct{}

//go:norace
func (channels) make(h *host) { h.turn = make(chan struct{}, 1) }

//go:norace
func (channels) hand(from, to *host) {
	racing.Hide()
	to.turn <- struct{}{}
	<-from.turn
	racing.Show()
}

//go:norace
func (channels) pass(to *host) {
	racing.Hide()
	to.turn <- struct{}{}
	racing.Show()
}

//go:norace
func (channels) wait(h *host) {
	racing.Hide()
	<-h.turn
	racing.Show()
}

//go:norace
func (channels) end([]*host) {}
