package runtime

import (
	"internal/stringslite"
	"unsafe"
)

const (
	rouseInputsSize = 1 << 18 // bytes of names that are not taken yet
	rouseInputsMost = 1 << 13 // different names of a process, a power of two
)

// rouseInputs has the environment variables and files that the process has asked package os for, each once. It is
// memory of its own, with a lock that neither the schedule nor the race detector sees: an execution is the same with
// it and without. A name that there is no room for is lost, and then nobody knows what the process depends on.
var rouseInputs struct {
	lock  mutex
	dir   [4096]byte // the working directory, its first bytes; none until the process changes it
	in    int
	seen  [2 * rouseInputsMost]uint64 // hashes; 0 is a free place
	known int
	names [rouseInputsSize]byte // each is a kind, the name, and a zero
	used  int
	lost  bool
}

// rouseInputsRoot is the folder whose files are inputs; with "" all are.
var rouseInputsRoot string

// Kinds of inputs; package internal/testlog has them, too.
const (
	rouseInputGetenv = 'e'
	rouseInputStat   = 's'
	rouseInputChdir  = 'c'
)

// rouseNotes reports whether inputs are noted: in each worker, so that a repetition makes the same system calls.
//
//go:linkname rouseNotes internal/rouse.Notes
func rouseNotes() bool { return rouseWorker.notes }

// rouseNote notes that the process asks for a variable or a file.
//
//go:linkname rouseNote internal/rouse.Note
func rouseNote(kind byte, name string) {
	if name == "" {
		return
	}
	lock(&rouseInputs.lock)
	rouseAddInput(kind, name)
	unlock(&rouseInputs.lock)
}

// rouseAddInput is called with the lock.
func rouseAddInput(kind byte, name string) {
	in := &rouseInputs
	dir := ""
	switch {
	case kind == rouseInputChdir:
		if in.in = copy(in.dir[:], name); in.in < len(name) {
			in.in, in.lost = 0, true
		}
		kind = rouseInputStat
	case kind != rouseInputGetenv && name[0] != '/' && in.in > 0:
		dir = unsafe.String(&in.dir[0], in.in)
	}
	if root := rouseInputsRoot; kind != rouseInputGetenv && (dir != "" || name[0] == '/') &&
		!stringslite.HasPrefix(name, root) && (dir == "" || !stringslite.HasPrefix(dir, root)) {
		return
	}
	hash := uint64(14695981039346656037) // FNV-1a
	hash = rouseHashInput(hash, dir)
	hash = (hash ^ uint64(kind)) * 1099511628211
	hash = rouseHashInput(hash, name) | 1
	at := hash / 2 % uint64(len(in.seen))
	for ; in.seen[at] != 0; at = (at + 1) % uint64(len(in.seen)) {
		if in.seen[at] == hash {
			return
		}
	}
	if in.known == rouseInputsMost || len(dir)+len(name)+3 > len(in.names)-in.used {
		in.lost = true
		return
	}
	in.seen[at] = hash
	in.known++
	in.names[in.used] = kind
	in.used++
	if dir != "" {
		in.used += copy(in.names[in.used:], dir)
		in.names[in.used] = '/'
		in.used++
	}
	in.used += copy(in.names[in.used:], name)
	in.names[in.used] = 0
	in.used++
}

func rouseHashInput(hash uint64, text string) uint64 {
	for i := range len(text) {
		hash = (hash ^ uint64(text[i])) * 1099511628211
	}
	return hash
}

// RouseInputsBelow has files elsewhere left out from now on: temporary files have ever new names.
func RouseInputsBelow(root string) { rouseInputsRoot = root }

// RouseTakeInputs returns the inputs that were noted since the last call, each a kind, a name and a zero. lost means
// that there are others, of this call or an earlier one.
func RouseTakeInputs() (names []byte, lost bool) {
	in := &rouseInputs
	lock(&in.lock)
	n := in.used
	unlock(&in.lock)
	if n > 0 {
		names = make([]byte, n)
	}
	lock(&in.lock)
	copy(names, in.names[:n])
	in.used = copy(in.names[:], in.names[n:in.used])
	lost = in.lost
	unlock(&in.lock)
	return names, lost
}
