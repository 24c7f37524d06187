package core

import (
	"fmt"
	"os"
	"time"
)

// DefaultPatience is the patience of an engine whose options have none.
const DefaultPatience = 10 * time.Second

// A watchdog checks, in real time, that the execution in progress makes progress. It cannot take
// control from a task that blocks in a system call or on a mutex of the standard package; it can
// report which one that is.
type watchdog struct {
	engine   *Engine
	patience time.Duration
	tick     *time.Ticker // made before the executions: making one may take locks that tasks take (GODEBUG)
	stop     chan struct{}
	stopped  chan struct{}
	report   func(message string)

	seen    position
	since   time.Time // when the position was first seen
	blocked string    // the goroutine that was blocked at the last look, and how; or ""
}

// NewWatchdog returns a watchdog. Run makes it look at the execution from time to time, until End.
func NewWatchdog(e *Engine, patience time.Duration, report func(message string)) *watchdog {
	tick := time.NewTicker(max(patience/4, time.Millisecond))
	return &watchdog{engine: e, patience: patience, tick: tick, stop: make(chan struct{}), stopped: make(chan struct{}), report: report}
}

// StartWatchdog starts the engine's watchdog, if it has patience.
func (e *Engine) StartWatchdog() {
	if e.Patience > 0 {
		e.Watchdog = NewWatchdog(e, e.Patience, die)
		go e.Watchdog.Run()
	}
}

// NoProgress begins the panic by which the watchdog ends the process.
const NoProgress = "control: an execution makes no progress"

// die ends the process, as the test's own timeout would.
func die(message string) {
	fmt.Fprintln(os.Stderr, message)
	panic(NoProgress + "; see above")
}

func (w *watchdog) End() {
	close(w.stop)
	<-w.stopped
}

// BusyPatience is how many times as long a task may compute.
const BusyPatience = 6

func (w *watchdog) Run() {
	defer close(w.stopped)
	defer w.tick.Stop()
	for {
		w.Look(time.Now())
		select {
		case <-w.stop:
			return
		case <-w.tick.C:
		}
	}
}

// Look reports an execution that has made no progress for too long. A task that is blocked must be
// found so twice: on a busy machine one look may meet a switch between two tasks.
func (w *watchdog) Look(now time.Time) {
	if p := w.progress(); p != w.seen || !p.executing {
		w.seen, w.since, w.blocked = p, now, ""
		return
	}
	still := now.Sub(w.since)
	if still < w.patience {
		return
	}
	if w.engine.Front.Interrupt(w.seen.step) {
		return // there is nothing else to do here: stress test watches the process
	}
	g, found := w.engine.Front.Blocked()
	was := w.blocked
	w.blocked = ""
	switch {
	case found && !g.Ready():
		if w.blocked = fmt.Sprint(g.ID, g.State); was != w.blocked {
			return
		}
		w.report(fmt.Sprintf("control: a task has been blocked outside the engine for %v [%s]; what it waits for has to go through package hooks:\n%s",
			still.Round(time.Millisecond), g.State, g))
	case still < BusyPatience*w.patience:
		return
	default:
		message := fmt.Sprintf("control: a task has run for %v without passing a hook:\n", still.Round(time.Millisecond))
		if found {
			message += g.String()
		}
		w.report(message)
	}
	w.since, w.blocked = now, ""
}

// A position is how far an engine has come.
type position struct {
	executing    bool
	number, step int
}

// progress reads without synchronising: a word that is out of date makes the watchdog late at most.
//
//go:norace
func (w *watchdog) progress() position {
	e := w.engine
	return position{e.executing, e.Number, e.Step}
}
