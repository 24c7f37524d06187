// Package firing is what both engines make of a line of a plan: which of a task's hits
// are chosen, whom a pattern means, how long a delay lasts. What it all means stands at
// plan.Fault.
//
// It imports chaos/plan and chaos/internal/splitmix. Hooks call it, so that nothing in
// it may tell the race detector anything.
package firing
