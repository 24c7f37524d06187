package sleep

import "github.com/rouse-go/rouse/hooks"

// HandOver lets another processor run the goroutine that the caller has just woken. It costs 0.2 us
// and does not block.
//
// Go keeps a woken goroutine for the waker's processor to run next, which is best if the waker
// blocks now. If it computes on, other processors may take the goroutine only after a pause,
// nominally 3 us, but 80 where kernel timers are coarse. Waking another goroutine moves the first
// to where they take it at once; one that does nothing is enough (docs/wake-latency.md).
//
// Under control there is nothing to hand over: goroutines are tasks.
func HandOver() {
	if hooks.Enabled && hooks.Controlled() {
		return
	}
	go nothing()
}

func nothing() {}
