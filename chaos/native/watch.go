package native

import (
	"cmp"
	"slices"
	"time"

	"github.com/rouse-go/rouse/internal/goroutines"
)

// A Kind says how a watch ended.
type Kind int

const (
	Finished Kind = iota // done was closed
	Stuck                // every goroutine waits for another one
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

// An Outcome says how a watch ended.
type Outcome struct {
	Kind Kind
	// Goroutines is the runtime's dump of all goroutines, "" if Finished.
	Goroutines string
	// Blocked are the goroutines that wait for another one: all if Stuck, some if TimedOut,
	// none if Finished.
	Blocked []Goroutine
}

// A Goroutine is one entry of a goroutine dump.
type Goroutine struct {
	ID uint64
	// State is the runtime's word for what the goroutine does or waits for:
	// "running", "chan receive", "sync.Mutex.Lock".
	State string
	// Stack is the entry's text below the headline.
	Stack string
}

// String returns the entry as a dump has it.
func (g Goroutine) String() string { return goroutines.Goroutine(g).String() }

// Place returns the innermost function of the program itself, with file and line.
func (g Goroutine) Place() string { return goroutines.Goroutine(g).Place() }

// A WatchOption changes what Watch does. A nil WatchOption is ignored.
type WatchOption func(*watch)

// WithTimeout bounds the watch; default 30 s, no bound if d <= 0. See Watch for what counts.
func WithTimeout(d time.Duration) WatchOption {
	return func(w *watch) { w.timeout = d }
}

// WithPatience sets how long there must have been no progress before goroutines are looked at;
// default 100 ms, also if d <= 0. It should be longer than any timer that the subject waits for.
func WithPatience(d time.Duration) WatchOption {
	return func(w *watch) {
		if d > 0 {
			w.patience = d
		}
	}
}

// WithIgnored sets the bystanders.
func WithIgnored(b Bystanders) WatchOption {
	return func(w *watch) { w.bystanders = b }
}

// WithHeartbeat calls f on the watching goroutine after each pause of the watch, at least once a
// second. f must not block.
func WithHeartbeat(f func()) WatchOption {
	return func(w *watch) { w.heartbeat = f }
}

// Bystanders are goroutines that do not belong to the subject.
type Bystanders struct{ ids map[uint64]bool }

// Baseline returns the goroutines that exist now, for a call before the subject is built. It stops
// the world for about a microsecond for each goroutine.
func Baseline() Bystanders {
	text, _ := goroutines.Dump()
	b := Bystanders{ids: map[uint64]bool{}}
	for _, g := range goroutines.Parse(text) {
		b.ids[g.ID] = true
	}
	return b
}

// Ready returns the goroutines that run, or would if they had a processor, except for the caller,
// the bystanders, and those of the runtime. It costs as much as Baseline.
func Ready(b Bystanders) []Goroutine {
	text, _ := goroutines.Dump()
	w := watch{bystanders: b}
	return those(w.suspects(text), goroutines.Goroutine.Ready)
}

// The periods of a watch.
const (
	defaultTimeout  = 30 * time.Second
	defaultPatience = 100 * time.Millisecond
	// settle lies between two dumps: several of the scheduler's time slices (10 ms).
	settle = 30 * time.Millisecond
	// A look stops the world: while the subject is slow, looks become rarer, down to this.
	longestPatience = time.Second
	// A subject that had less than 1/servedPart of a processor gets its time again, in
	// mostTerms terms at most.
	servedPart, mostTerms = 4, 10
)

// A watch is one call of Watch.
type watch struct {
	done       <-chan struct{}
	engine     *Engine
	timeout    time.Duration
	patience   time.Duration
	bystanders Bystanders
	heartbeat  func()
	cpu        func() (time.Duration, bool) // ProcessCPU, but in tests

	// A term is one timeout.
	lived time.Duration // in this term, as far as it counts
	terms int           // that are over
	used  time.Duration // processor time of the process when this term began
}

// Watch blocks until done is closed, until no goroutine is left that could lead to that, or until
// the timeout. It distinguishes stuck from slow:
//
//  1. No hook has been visited for the patience, and no goroutine is inside an injected delay.
//  2. In two goroutine dumps, 30 ms apart, every goroutine is blocked at the same place in an
//     operation that only another goroutine can end. The watching goroutine, the bystanders
//     and those of the runtime do not count.
//  3. Still no hook has been visited, and done is not closed.
//
// A goroutine that runs, could run, sleeps, or is in a system call is slow; so is one whose
// thread a busy machine does not schedule. Load delays the verdict but does not forge it. If no
// goroutine counts, nothing is stuck.
//
// The timeout does not go by the clock alone. A pause of the watch that took longer than planned,
// as when the process is stopped, counts as twice its planned length at most. And if the time is
// up while a goroutine could run and the process has had less than a quarter of one processor,
// it gets the time again, ten times in all. (Not where the system does not report processor time.)
//
// Limits. A dump does not distinguish a channel that a timer sends to from any other, and does not
// show a time.AfterFunc: a subject that waits for a timer longer than the patience looks stuck. A
// goroutine that polls hides that all others are stuck, unless it is a bystander; the watch then
// times out.
//
// e may be nil or disarmed; the dumps then decide alone. Goroutines that are stuck stay behind.
// Several goroutines may call Watch at once if each has the others among its bystanders, or all
// watch the same subject.
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
	if w.heartbeat != nil {
		w.heartbeat()
	}
	return w.isDone()
}

// overdue is called when a term is over. It reports whether the watch has ended.
func (w *watch) overdue() (outcome Outcome, ended bool) {
	text, _ := goroutines.Dump()
	suspects := w.suspects(text)
	used, known := w.cpu()
	served := !known || used-w.used >= w.timeout/servedPart
	if w.terms++; !served && w.terms < mostTerms && slices.ContainsFunc(suspects, goroutines.Goroutine.Ready) {
		w.lived, w.used = 0, used
		return Outcome{}, false
	}
	return Outcome{Kind: TimedOut, Goroutines: text, Blocked: those(suspects, goroutines.Goroutine.Blocked)}, true
}

// look takes two dumps and reports whether the watch has ended. seen is the progress before.
func (w *watch) look(seen uint64) (outcome Outcome, ended bool) {
	before, whole := goroutines.Dump()
	first := w.suspects(before)
	if !whole || !allBlocked(first) {
		return Outcome{}, false
	}
	if w.pause(settle) {
		return Outcome{Kind: Finished}, true
	}
	after, whole := goroutines.Dump()
	second := w.suspects(after)
	if !whole || !slices.Equal(first, second) || w.progress() != seen || w.injecting() > 0 || w.isDone() {
		return Outcome{}, false
	}
	return Outcome{Kind: Stuck, Goroutines: after, Blocked: those(second, goroutines.Goroutine.Blocked)}, true
}

// suspects returns the goroutines of a dump that count, by number.
func (w *watch) suspects(dump string) []goroutines.Goroutine {
	all := goroutines.Parse(dump)
	if len(all) > 0 {
		all = all[1:] // the caller
	}
	all = slices.DeleteFunc(all, func(g goroutines.Goroutine) bool { return w.bystanders.ids[g.ID] || g.OfRuntime() })
	slices.SortFunc(all, func(a, b goroutines.Goroutine) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

// those returns the suspects for which is returns true.
func those(suspects []goroutines.Goroutine, is func(goroutines.Goroutine) bool) []Goroutine {
	var found []Goroutine
	for _, g := range suspects {
		if is(g) {
			found = append(found, Goroutine(g))
		}
	}
	return found
}

// allBlocked reports whether there are suspects, and each waits for another goroutine.
func allBlocked(suspects []goroutines.Goroutine) bool {
	for _, g := range suspects {
		if !g.Blocked() {
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
