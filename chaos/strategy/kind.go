package strategy

// A Kind is what an operation does to its object, as far as scheduling goes.
type Kind uint8

// The kinds of operation. With one that waits, the task is enabled only while the operation can
// be done at once.
const (
	Begin       Kind = iota // a task's first step; no object
	Spawn                   // starts a task; no choice precedes it
	End                     // the task has ended; no choice precedes it
	Point                   // passes a hook point; no object
	Yield                   // lets others go first; no object
	Load                    // reads
	Store                   // writes, and may read
	CAS                     // reads, and writes if it succeeds
	Lock                    // waits until the lock is free, and takes it
	TryLock                 // takes the lock if it is free
	Unlock                  // gives the lock up
	RLock                   // waits until the lock is free for readers
	TryRLock                // takes the lock for reading if that is possible
	RUnlock                 // ends reading
	Drain                   // of a writer that is announced: waits until the readers are gone
	Wait                    // waits for the object's event: a Cond's signal, a WaitGroup's zero
	Signal                  // makes the object's event happen, or counts towards it
	Once                    // waits until no task runs the function, and learns whether to run it
	Send                    // on a channel: waits for room or a receiver
	Receive                 // from a channel: waits for a value or the end
	Close                   // of a channel
	Select                  // on several channels; waits for one of them, or has a default
	Sleep                   // waits until virtual time has passed
	Clock                   // of a pseudo-task: the next timer fires
	Flush                   // of a pseudo-task: the oldest store of a buffer reaches memory
	Fence                   // a memory fence; no object
	After                   // has done what others can see, and is about to run plain code; no object
	Resume                  // continues after a wait that another task, or a timer, has ended; no object
	Syscall                 // a system call; what is outside of the process is one object
	SyscallRead             // a system call that only reads that object
	lastKind
)

var kindNames = [lastKind]string{
	"begin", "spawn", "end", "point", "yield", "load", "store", "cas", "lock", "try-lock", "unlock", "r-lock",
	"try-r-lock", "r-unlock", "drain", "wait", "signal", "once", "send", "receive", "close", "select", "sleep",
	"clock", "flush", "fence", "after", "resume", "system call", "system call",
}

// String returns the kind's name, for people.
func (k Kind) String() string {
	if k < lastKind {
		return kindNames[k]
	}
	return "?"
}

// Waits reports whether a task may have to wait before such an operation.
func (k Kind) Waits() bool {
	switch k {
	case Lock, RLock, Drain, Wait, Once, Send, Receive, Select, Sleep:
		return true
	}
	return false
}

// reads reports whether two operations of such kinds commute on one object.
func (k Kind) reads() bool { return k == Load || k == SyscallRead }
