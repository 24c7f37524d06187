// Package process starts child processes that end when this one does.
//
// A child has a process group of its own, which is ended as a whole: the go command, for one,
// starts compilers. See [Strays] for what leaves the group, and [Guard.Begin] for what has lost its
// parent. On Linux the child is ended, too, if this process is killed and cannot do it; what the
// child has started then ends by itself.
//
// It imports the standard library only.
package process
