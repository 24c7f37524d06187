// Package core decides which task continues, makes the steps of an execution, and records them. It is the one home of
// what a step is, of the hash of a trace, and of how a choice goes from who offers it to the strategy and into the
// schedule.
//
// What the tasks are, what they wait for, and how control goes from one to another is the business of a front end: see
// Front. There are two, hooked and real, which know nothing of each other; each embeds an Engine, and core knows nothing
// of either. A front end keeps more of each task than a Task: its own struct, of which the Task is the first field.
//
// What is done at a step runs on the goroutines of tasks, one at a time, and is hidden from the race detector.
package core
