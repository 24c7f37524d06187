package strategy

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rouse-go/rouse/chaos/internal/splitmix"
	"github.com/rouse-go/rouse/internal/seam"
)

// A Schedule determines an execution: where it differs from the canonical policy, and the
// faults that were carried out.
type Schedule struct {
	Deviations []Deviation
	Fires      []Fire
	// Seed determines what the subject draws, where the engine controls that (control.Runtime);
	// otherwise it has no effect.
	Seed uint64
}

// Clone returns a copy.
func (s Schedule) Clone() Schedule {
	return Schedule{slices.Clone(s.Deviations), slices.Clone(s.Fires), s.Seed}
}

// Len returns the number of entries.
func (s Schedule) Len() int { return len(s.Deviations) + len(s.Fires) }

// A Fire is a fault that was carried out, at one of a task's visits of a point. Delays are
// in virtual time.
type Fire struct {
	Task  uint64 // key of the task
	Point string
	Visit int // of the point by the task, from 0
	Kind  seam.Fault
	// Value is the delay, or the limit of a hold, in nanoseconds, or what a roll made of
	// the counter.
	Value uint64
	Until string // the point that ends a hold; "" otherwise
}

// RootKey is the key of an execution's first task, "main".
const RootKey = 0x6d61696e

// ClockKey is the key of the pseudo-task that fires timers, "clock".
const ClockKey = 0x636c6f636b

// ChildKey returns the key of a task's n-th child, from 0.
//
//go:norace
func ChildKey(parent uint64, n int) uint64 { return splitmix.Mix(parent, uint64(n)+1) }

// BufferSuffix ends the path of a task's store buffer, a pseudo-task: "main/0/buffer".
const BufferSuffix = "/buffer"

// BufferKey returns the key of a task's store buffer.
//
//go:norace
func BufferKey(task uint64) uint64 { return splitmix.Mix(task, 0) }

// LongestPath bounds the path of a task, in bytes: about 30,000 tasks, each started by the
// one before.
const LongestPath = 64 << 10

// Key returns the key of the task at that path: "main/0/1", in linear time. It returns false if
// there can be no such path.
func Key(path string) (uint64, bool) {
	if path == "clock" {
		return ClockKey, true
	}
	if len(path) > LongestPath {
		return 0, false
	}
	owner, buffer := strings.CutSuffix(path, BufferSuffix)
	key, ok := taskKey(owner)
	if buffer {
		key = BufferKey(key)
	}
	return key, ok
}

// taskKey returns the key of a task that is not a pseudo-task.
func taskKey(path string) (uint64, bool) {
	root, rest, deeper := strings.Cut(path, "/")
	if root != "main" {
		return 0, false
	}
	key := uint64(RootKey)
	for deeper {
		var digits string
		digits, rest, deeper = strings.Cut(rest, "/")
		n, err := strconv.Atoi(digits)
		if err != nil || n < 0 || strconv.Itoa(n) != digits {
			return 0, false
		}
		key = ChildKey(key, n)
	}
	return key, true
}

// A Deviation is a decision other than the canonical policy's (Choice.Default, or
// alternative 0 of a pick). It is identified by the current task and the number of
// operations that it had done, not by its position in the schedule, so that it survives
// changes elsewhere.
type Deviation struct {
	Task   uint64 // key of the current task; 0 at the beginning
	To     uint64 // key of the task chosen; 0 for a pick
	Ops    int32  // that the current task had done
	After  bool   // directly after operation Ops, and not before it: see Kind After
	Repeat int32  // decisions there before this one
	Pick   int32  // the outcome picked, above 0; 0 for a choice of task
}
