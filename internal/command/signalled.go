package command

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// Signalled is the cause of a context that a signal ended.
type Signalled struct{ os.Signal }

func (s Signalled) Error() string { return "interrupted: " + s.Signal.String() }

// untilSignalled returns a context that SIGINT or SIGTERM ends. The second of them ends
// the process.
func untilSignalled() (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		s := <-signals
		signal.Stop(signals)
		cancel(Signalled{s})
	}()
	return ctx, func() { signal.Stop(signals) }
}
