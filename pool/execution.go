package pool

import "sync" // not the drop-in, which has no such method

// execution returns the number of the execution of stress test in which the caller runs, or 0. Many
// executions run in one process, and the goroutines that one leaves end without their deferred
// calls: what is known of goroutines holds for one execution. The method is one that stress test
// adds to the standard library; elsewhere execution is nil.
var execution = func() func() uint64 {
	if p, ok := any(new(sync.Pool)).(interface{ RouseExecution() uint64 }); ok {
		return p.RouseExecution
	}
	return nil
}()

// currentExecution is 0 outside of executions.
func currentExecution() uint64 {
	if execution == nil {
		return 0
	}
	return execution()
}
