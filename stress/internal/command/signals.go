package command

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// signalled is the cause of a context that a signal ended.
type signalled struct{ os.Signal }

func (s signalled) Error() string { return "interrupted: " + s.Signal.String() }

// sameSignal is how long a second signal is the same request: timeout(1) sends one to its child, and then one to its
// group.
const sameSignal = 250 * time.Millisecond

// untilSignalled returns a context that SIGINT, SIGTERM or SIGHUP ends. A second
// SIGINT or SIGTERM, after sameSignal, ends the process. A process that was started with nohup
// ignores SIGHUP. SIGPIPE ends nothing: a write to a pipe without a reader fails.
func untilSignalled() (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // children do not inherit it, as they would with Ignore
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(signals, syscall.SIGHUP)
	}
	go func() {
		s := <-signals
		// A terminal that is closed may send SIGHUP twice. The second must not keep the reports from
		// being put in place, so it is received and dropped. (signal.Ignore would leave a moment in
		// which it kills.)
		signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
		cancel(signalled{s})
		time.Sleep(sameSignal)
		signal.Reset(os.Interrupt, syscall.SIGTERM)
	}()
	return ctx, func() { signal.Stop(signals) }
}
