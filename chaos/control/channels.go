package control

// channels switches by a channel for each goroutine: four times the price of
// coroutines, but each goroutine is an ordinary one, which may be locked to its
// thread, and whose parking can be hidden from the race detector.
type channels struct{}

func (channels) String() string { return "channels" }

//go:norace
func (channels) pooled() bool { return false }

//go:norace
func (channels) make(h *host) { h.turn = make(chan struct{}, 1) }

//go:norace
func (channels) hand(from, to *host) {
	hide()
	to.turn <- struct{}{}
	<-from.turn
	show()
}

//go:norace
func (channels) pass(to *host) {
	hide()
	to.turn <- struct{}{}
	show()
}

//go:norace
func (channels) wait(h *host) {
	hide()
	<-h.turn
	show()
}

//go:norace
func (channels) end([]*host) {}
