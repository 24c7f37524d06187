//go:build chaos

package context

import "github.com/rouse-go/rouse/internal/seam"

// A cancellation has a point on either side. An operation that starts a clock or waits for the end
// has its point after it, while nothing uses the result yet; one that stops has it before, where the
// end can still come first.
var (
	cancelling = seam.DeclareOperation("context/cancel", "about to cancel: what is to be cancelled still runs, and can still succeed or begin", seam.Disturb)
	cancelled  = seam.DeclareOperation("context/cancelled", "cancelled, with all that derive from it: they act on it before the canceller continues", seam.Disturb)
	deadline   = seam.DeclareOperation("context/deadline", "the clock runs, and the context is not returned yet: the deadline can pass before any work begins", seam.Disturb)

	afterFunc = seam.DeclareOperation("context/after-func", "registered, and its owner does not have stop yet: the function can run first", seam.Disturb)
	afterRun  = seam.DeclareOperation("context/after-run", "the context is done and the function has not begun: stop comes too late, and waiters for Done are ahead", seam.Disturb)
	afterStop = seam.DeclareOperation("context/after-stop", "about to stop: the context can be done first, and the function run", seam.Disturb)
)
