// Package run runs one execution of a scenario and judges it.
//
// A native execution runs truly in parallel in a child process (child.go), which has a watchdog
// (native.Watch) and sends its parent (launcher.go) heartbeats; the parent kills a child that stays
// silent. Controlled executions run in batches, on the loop of internal/explore that chaos.Explore
// also uses. The strategy of a batch is independent of other batches, so several processes find what
// one would. After a failure a process runs no further execution, because goroutines may be left.
//
// Recordings are written, read and replayed here. Package campaign, which imports this one, decides
// how many executions there are, and in which order. The pool and other subjects are not imported:
// the program passes them to ChildMain.
package run
