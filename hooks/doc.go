// Package hooks marks the places where concurrent code can go wrong, so that a test can make it
// go wrong there.
//
// A hook point is declared once, by the package that owns it, with the faults that it offers and
// one line about the window that is open while a goroutine is there:
//
//	var pushed = hooks.Declare("queue/pushed", "the item is in, and no consumer is notified yet", hooks.Disturbs)
//
//	func (q *Queue) Push(v int) {
//		q.items.push(v)
//		hooks.At(pushed)
//		for range hooks.Notify(notify) {
//			q.cond.Signal()
//			if !hooks.Enabled {
//				break // straight code in the normal build
//			}
//		}
//	}
//
// Without the build tag "chaos" all of this is nothing: Point is an empty struct, every function
// is empty and inlined, and the binary holds no symbol of this package. With the tag each call
// asks the installed engine (chaos/native or chaos/control) what to do; without an engine it
// costs one atomic load.
//
// Arguments are evaluated in both builds. A call in an argument is not free; guard it:
//
//	if hooks.Enabled {
//		hooks.Name("worker " + strconv.Itoa(i))
//	}
//
// The sub-packages sync, atomic, time and context are drop-ins for the standard packages of those
// names: aliases in the normal build, instrumented types and functions in the chaos build. To
// instrument a package, change its import paths. Two more are called by name:
//
//   - channel: the operations of the language on channels: send, receive, close, range, select.
//   - memory: the operations of atomic with a declared memory order, and fences.
//
// This package imports internal/seam, internal/self and the standard library. Production code may
// import it; it must never import what it observes.
package hooks
