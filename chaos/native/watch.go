package native

import (
	"cmp"
	"slices"
	"time"
)

// A Kind says how a watch ended.
type Kind int

const (
	Finished Kind = iota // done was closed
	Stuck                // nothing but a goroutine could end what everyone waits for
	TimedOut             // neither, so far
)

func (k Kind) String() string {
	switch k {
	case Finished:
		return "finished"
	case Stuck:
		return "stuck"
	case TimedOut:
		return "timed out"
	}
	return "unknown"
}

// An Outcome is what a watch has found.
type Outcome struct {
	Kind Kind
	// Goroutines is the runtime's dump of all goroutines, "" if Finished.
	Goroutines string
	// Blocked are the goroutines that wait for another one: all that count if
	// Stuck, some if TimedOut, none if Finished.
	Blocked []Goroutine
}

// A WatchOption changes what Watch does. A nil WatchOption is ignored.
type WatchOption func(*watch)

// WithTimeout bounds the watch; 30 s without this option, no bound if d <= 0. It is time in
// which the subject could have come to its end: see Watch.
func WithTimeout(d time.Duration) WatchOption {
	return func(w *watch) { w.timeout = d }
}

// WithPatience sets how long there must have been no progress before goroutines
// are looked at; 100 ms without this option or if d <= 0. Take it longer than
// the longest timer that the subject waits for.
func WithPatience(d time.Duration) WatchOption {
	return func(w *watch) {
		if d > 0 {
			w.patience = d
		}
	}
}

// WithIgnored leaves the bystanders out of account.
func WithIgnored(b Bystanders) WatchOption {
	return func(w *watch) { w.bystanders = b }
}

// WithBeat calls f on the watching goroutine after each pause of the watch, which is a second at
// most: as long as it is called, the watch is alive. f must not block.
func WithBeat(f func()) WatchOption {
	return func(w *watch) { w.beat = f }
}

// Bystanders are goroutines that have no part in what is watched.
type Bystanders struct{ ids map[uint64]bool }

// Baseline returns the goroutines that exist now. Call it before the subject is
// built. It stops the world for about a microsecond a goroutine.
func Baseline() Bystanders {
	text, _ := dumpGoroutines()
	b := Bystanders{ids: map[uint64]bool{}}
	for _, g := range parseDump(text) {
		b.ids[g.ID] = true
	}
	return b
}

// Ready returns the goroutines that run, or would if they had a processor: but for the caller, the
// bystanders, and those of the runtime. It stops the world for about a microsecond a goroutine.
func Ready(b Bystanders) []Goroutine {
	text, _ := dumpGoroutines()
	w := watch{bystanders: b}
	return slices.DeleteFunc(w.suspects(text), func(g Goroutine) bool { return !g.ready() })
}

// The periods of a watch.
const (
	defaultTimeout  = 30 * time.Second
	defaultPatience = 100 * time.Millisecond
	// settle lies between two dumps: several of the scheduler's time slices
	// (10 ms), so that who was about to move has moved.
	settle = 30 * time.Millisecond
	// A look costs a stop of the world: while looks say "slow", they become rarer,
	// down to this.
	longestPatience = time.Second
	// A subject that wanted a processor, and had one for less than this part of its time, has
	// not been served: it gets that time again, so often.
	servedPart, mostTerms = 4, 10
)

// A watch is one call of Watch.
type watch struct {
	done       <-chan struct{}
	engine     *Engine
	timeout    time.Duration
	patience   time.Duration
	bystanders Bystanders
	beat       func()
	cpu        func() (time.Duration, bool) // ProcessCPU, but in tests

	// A term is one timeout's length of lived time.
	lived time.Duration // of this term
	terms int           // that are over
	used  time.Duration // by the process, when this term began
}

// Watch blocks until done is closed, or until what should close it is stuck, or
// until the timeout. It tells stuck from slow:
//
//  1. No hook has been visited for a while, and nobody is inside an injected delay.
//  2. In two goroutine dumps, 30 ms apart, every goroutine is blocked in an
//     operation that only another goroutine can end, at the same place. The
//     watching goroutine, the bystanders and those of the runtime do not count.
//  3. Still no hook has been visited, and done is not closed.
//
// The timeout does not go by the clock alone. Time in which the process was stopped does
// not count: a pause of the watch that took longer than it was to counts as twice as long at
// most. And if the time is up, but a goroutine could run, and the process has had less
// than a quarter of one processor, then it was not served, and is given the time
// again, ten times in all. (Where the system does not say how much it had, it is not.)
//
// A goroutine that runs, could run, sleeps, or is in a system call is slow at
// worst; that is also what one looks like whose thread a busy machine does not
// serve. So load delays the verdict but does not forge it. If no goroutine is
// left that counts, there is nobody to call stuck.
//
// Limits. A dump does not tell a channel that a timer sends to from any other,
// and does not show a time.AfterFunc: a subject in which everyone waits for a
// timer longer than the patience looks stuck. A goroutine that polls (a ticker,
// a sleep in a loop) hides that all others are stuck, unless it is a bystander;
// the watch then times out.
//
// e may be nil or disarmed; the dumps then decide alone. Goroutines of the
// subject that are stuck stay behind. Watch may be called by several goroutines
// at once, if each has the others among its bystanders or they share their fate.
func Watch(done <-chan struct{}, e *Engine, opts ...WatchOption) Outcome {
	w := &watch{done: done, engine: e, timeout: defaultTimeout, patience: defaultPatience, cpu: ProcessCPU}
	for _, opt := range opts {
		if opt != nil {
			opt(w)
		}
	}
	return w.run()
}

func (w *watch) run() Outcome {
	w.used, _ = w.cpu()
	wait := w.patience
	for seen := w.progress(); ; {
		if w.pause(wait) {
			return Outcome{Kind: Finished}
		}
		if w.timeout > 0 && w.lived >= w.timeout {
			if outcome, ended := w.overdue(); ended {
				return outcome
			}
		}
		now := w.progress()
		if now != seen || w.injecting() > 0 {
			seen, wait = now, w.patience
			continue
		}
		if outcome, ended := w.look(seen); ended {
			return outcome
		}
		wait = max(w.patience, min(2*wait, longestPatience))
	}
}

// pause waits, and reports whether done was closed meanwhile.
func (w *watch) pause(d time.Duration) (done bool) {
	if w.timeout > 0 {
		d = min(d, max(w.timeout-w.lived, time.Millisecond))
	}
	begin := time.Now()
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-w.done:
		return true
	case <-timer.C:
	}
	w.lived += min(time.Since(begin), 2*d)
	if w.beat != nil {
		w.beat()
	}
	return w.isDone()
}

// overdue is called when the time is up. It reports whether the watch has ended.
func (w *watch) overdue() (outcome Outcome, ended bool) {
	text, _ := dumpGoroutines()
	suspects := w.suspects(text)
	used, known := w.cpu()
	served := !known || used-w.used >= w.timeout/servedPart
	if w.terms++; !served && w.terms < mostTerms && slices.ContainsFunc(suspects, Goroutine.ready) {
		w.lived, w.used = 0, used
		return Outcome{}, false
	}
	blocked := slices.DeleteFunc(suspects, func(g Goroutine) bool { return !g.blocked() })
	return Outcome{Kind: TimedOut, Goroutines: text, Blocked: blocked}, true
}

// look takes two dumps and reports whether the watch has ended. seen is the
// progress made before.
func (w *watch) look(seen uint64) (outcome Outcome, ended bool) {
	before, whole := dumpGoroutines()
	first := w.suspects(before)
	if !whole || !allBlocked(first) {
		return Outcome{}, false
	}
	if w.pause(settle) {
		return Outcome{Kind: Finished}, true
	}
	after, whole := dumpGoroutines()
	second := w.suspects(after)
	if !whole || !slices.Equal(first, second) || w.progress() != seen || w.injecting() > 0 || w.isDone() {
		return Outcome{}, false
	}
	return Outcome{Kind: Stuck, Goroutines: after, Blocked: second}, true
}

// suspects returns the goroutines of a dump that count, by number.
func (w *watch) suspects(dump string) []Goroutine {
	all := parseDump(dump)
	if len(all) > 0 {
		all = all[1:] // the caller
	}
	all = slices.DeleteFunc(all, func(g Goroutine) bool { return w.bystanders.ids[g.ID] || g.house() })
	slices.SortFunc(all, func(a, b Goroutine) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

// allBlocked reports whether there is anyone, and everyone waits for another.
func allBlocked(suspects []Goroutine) bool {
	for _, g := range suspects {
		if !g.blocked() {
			return false
		}
	}
	return len(suspects) > 0
}

func (w *watch) isDone() bool {
	select {
	case <-w.done:
		return true
	default:
		return false
	}
}

func (w *watch) progress() uint64 {
	if w.engine == nil {
		return 0
	}
	return w.engine.Progress()
}

func (w *watch) injecting() int {
	if w.engine == nil {
		return 0
	}
	return w.engine.Injecting()
}
