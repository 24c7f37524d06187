// Package hooked is the front end of the engine for a subject that uses package hooks: a model of each drop-in (mutex.go,
// channel.go ...) knows what its tasks wait for, and does their operations.
//
// A host is a goroutine that runs tasks (host.go), and control goes from one to another as in switch.go. Package memory
// has the memories that are weaker than Go's, and files outside*.go find goroutines that are not tasks.
package hooked
