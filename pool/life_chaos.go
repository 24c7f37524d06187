//go:build chaos

package pool

// A life is whether something reusable is in use. Freeing poisons it: a later touch panics with a
// *StaleUseError. Its zero value is in use. It is plain memory: correct uses never race, and the
// race detector reports others, too.
type life struct {
	state lifeState
	by    *Worker // that freed it
	how   string
}

type lifeState uint8

const (
	used lifeState = iota
	free           // until it is used again
	gone           // for good: a thief may still use it
)

// begin takes it into use again.
func (l *life) begin(w *Worker, what string) {
	if l.state == gone {
		l.stale(w, what, "uses it again")
	}
	l.state = used
}

// free poisons it until it is used again.
func (l *life) free(w *Worker, what, how string) {
	l.touch(w, what, "frees it")
	l.state, l.by, l.how = free, w, how
}

// end poisons it for good.
func (l *life) end(w *Worker, what, how string) {
	l.free(w, what, how)
	l.state = gone
}

// touch panics if it is not in use.
func (l *life) touch(w *Worker, what, how string) {
	if l.state != used {
		l.stale(w, what, how)
	}
}

func (l *life) stale(w *Worker, what, how string) {
	panic(&StaleUseError{What: what, Freed: l.by.name() + " " + l.how, Used: w.name() + " " + how})
}
