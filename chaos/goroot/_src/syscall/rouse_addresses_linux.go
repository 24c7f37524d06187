package syscall

import "unsafe"

// Whether a port or a name is free depends on the whole machine. A test that fails because another process has it is no
// failure, but one that has it itself is.

// A rouseName is the address of a socket, in the kernel's form.
type rouseName struct {
	family uint16
	rest   [110]byte // of an Internet address, the port comes first
	len    uintptr
}

// rouseNamed is the address that a task asked for last, and rouseNaming its socket.
var (
	rouseNamed  rouseName
	rouseNaming uintptr
)

// rouseNames notes for which address a socket is to be, or to listen at.
//
//go:uintptrkeepalive
//go:nosplit
//go:norace
func rouseNames(trap, socket, name, size uintptr) {
	rouseNaming = socket
	if trap == SYS_LISTEN {
		rouseNamed.of(socket)
		return
	}
	rouseNamed.len = min(size, unsafe.Offsetof(rouseNamed.len))
	for i := range rouseNamed.len {
		*(*byte)(unsafe.Add(unsafe.Pointer(&rouseNamed), i)) = *(*byte)(unsafe.Add(*(*unsafe.Pointer)(unsafe.Pointer(&name)), i))
	}
}

// of sets n to the address of a socket. It returns false if the descriptor is not a socket's.
//
//go:nosplit
//go:norace
func (n *rouseName) of(socket uintptr) bool {
	size := uint32(unsafe.Offsetof(n.len))
	_, _, err := RawSyscall6(SYS_GETSOCKNAME, socket, uintptr(unsafe.Pointer(n)), uintptr(unsafe.Pointer(&size)), 0, 0, 0)
	n.len = min(uintptr(size), unsafe.Offsetof(n.len))
	return err == 0
}

// isLike reports whether two sockets cannot both have these addresses.
//
//go:norace
func (n *rouseName) isLike(o *rouseName) bool {
	switch n.family {
	case AF_INET, AF_INET6:
		return (o.family == AF_INET || o.family == AF_INET6) && n.rest[0] == o.rest[0] && n.rest[1] == o.rest[1]
	case AF_UNIX:
		return n.family == o.family && n.len == o.len && n.rest == o.rest
	}
	return false
}

// rouseTaken is called when an address is in use. If no socket of the process has it, another process does, or the
// kernel keeps it for a while after a connection.
//
//go:norace
func rouseTaken() {
	const most = 1000 // a process that has many files has those of tests below that
	named := rouseNamed
	for fd := range uintptr(most) {
		var other rouseName
		if fd != rouseNaming && other.of(fd) && named.isLike(&other) {
			return
		}
	}
	rouseLack("the address of a socket was in use, by another process or after a connection that has ended")
}
