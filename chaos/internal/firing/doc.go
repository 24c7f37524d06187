// Package firing is what both engines make of a line of a plan: which of a task's hits
// are chosen, which tasks a pattern selects, how long a delay lasts. Its meaning is documented at
// plan.Fault.
//
// It imports chaos/plan and chaos/internal/splitmix. Hooks call it, so that nothing in
// it may be visible to the race detector.
package firing
