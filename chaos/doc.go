// Package chaos explores concurrent code from a Go test: Explore runs a body under one schedule
// after the other, and a Plan sets the faults to inject.
//
//	func TestQueue(t *testing.T) {
//		chaos.Explore(t, func(c *chaos.C) {
//			q := NewQueue()
//			c.Go(func() { q.Put(1) })
//			if v := q.Take(); v != 1 {
//				c.Errorf("took %d", v)
//			}
//		})
//	}
//
// C has the methods that helpers ask of a *testing.T (Helper, Logf, Errorf, FailNow,
// Cleanup and so on), so that libraries of assertions can be used inside an execution. The
// report of a failure has the log of the execution that failed.
//
// With WithMemory, the atomics are as weak as the orders that they declare (hooks/memory):
// for algorithms that should work without Go's sequential consistency.
//
// With WithSchedule, a fuzz target searches for inputs and schedules together.
//
// The packages below it:
//
//   - chaos/plan: faults, where and how often; its types have names here
//   - chaos/control: the engine of Explore, which runs one task at a time
//   - chaos/strategy: how schedules are chosen
//   - chaos/recording: the file that repeats an execution, and shrinking it
//   - chaos/explain: tables and texts about an execution
//   - chaos/verdict: how an execution can end
//   - chaos/native: the other engine, which injects faults while goroutines run in parallel
//
// These packages import hooks, internal/seam, internal/self and internal/nearest,
// never the drop-ins, and know nothing of pool, sleep or stress: they serve anyone's
// code.
package chaos
