// Package process starts child processes that end when this one does.
//
// A child has a process group of its own, which is ended as a whole: the go command, for one,
// starts compilers. See [Strays] for processes that leave the group, and [Guard.Begin] for processes
// that have lost their parent. On Linux the child also ends if this process is killed; the processes
// that the child has started then end by themselves.
//
// It imports the standard library only.
package process
