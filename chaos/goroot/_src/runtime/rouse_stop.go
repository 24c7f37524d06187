package runtime

import "unsafe"

// Stop makes a task stop for a debugger when it continues: see control.Runtime. It continues where it has
// given up its turn (switchTo and rouseAwait), where it has parked, or it begins.
func (c *RouseGroup) Stop(task int32) { c.stop = task + 1 }

// rouseStop stops for a debugger, on the goroutine of the task.
//
//go:noinline
//go:nosplit
func rouseStop(c *RouseGroup) {
	c.stop = 0
	breakpoint()
}

// rouseContinues is called when a task continues that has parked.
func rouseContinues(t *rouseTask) {
	if c := t.c; c.stop == t.id+1 && c.running == t {
		rouseStop(c)
	}
}

// rouseFirst runs a new task that a debugger may stop.
func rouseFirst() {
	t := getg().rouse
	first := t.first
	t.first = nil
	if t.c.stop == t.id+1 {
		rouseStop(t.c)
	}
	begin := *(*func())(unsafe.Pointer(&first))
	begin()
}
