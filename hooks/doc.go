// Package hooks marks the places where concurrent code can go wrong, so that a
// test can make it go wrong there.
//
// A hook point is declared once, by the package that owns it, with one line that
// says what stands open while a goroutine is there, and the faults it offers:
//
//	var pushed = hooks.Declare("queue/pushed", "the item is in, nobody has been told", hooks.Disturbs)
//
//	func (q *Queue) Push(v int) {
//		q.items.push(v)
//		hooks.At(pushed)
//		for range hooks.Notify(notify) {
//			q.cond.Signal()
//			if !hooks.Enabled {
//				break // without it the compiler leaves a loop that runs once
//			}
//		}
//	}
//
// Without the build tag "chaos" all of this is nothing: Point is an empty struct,
// every function is empty and inlined, and the binary holds no symbol of this
// package. With the tag each call asks the installed engine (see chaos/native and
// chaos/control) what is to happen; with no engine installed it costs one atomic load.
//
// Arguments are evaluated in both builds. A call in an argument is not free; guard
// it:
//
//	if hooks.Enabled {
//		hooks.Name("worker " + strconv.Itoa(i))
//	}
//
// The sub-packages sync, atomic, time and context are drop-ins for the standard
// packages of those names: aliases in the normal build, instrumented types and
// functions in the chaos build. A package is instrumented by changing its import
// paths. Two more have functions, which have to be called by name:
//
//   - channel: for what the language does with a channel, where an import path can
//     change nothing: send, receive, close, range, select.
//   - memory: for the operations of atomic with a declared memory order, and for
//     fences. Go's atomics need neither; the code says what it would need.
//
// This package imports internal/seam and the standard library; production code
// may import it, and it must never import what it is to observe.
package hooks
