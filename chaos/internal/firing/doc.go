// Package firing interprets a line of a plan for both engines: which of a task's hits
// are chosen, which tasks a pattern selects, how long a delay lasts. The meaning is documented at
// plan.Fault.
//
// It imports chaos/plan and chaos/internal/splitmix. Hooks call it, so that nothing in
// it may be visible to the race detector.
package firing
