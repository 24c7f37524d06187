//go:build unix

package driver

import (
	"encoding/base64"
	"encoding/binary"
	"io"
	"os"
	"syscall"
	"unsafe"

	"internal/rouse/chaos/goroot/wire"
)

// closeOnExec keeps a file from processes that the tests start.
func closeOnExec(file int) { syscall.CloseOnExec(file) }

// numbers returns the memory of the file of the number if it can be mapped: a system call in each
// execution takes as long as ten points.
func numbers(file *os.File) io.WriterAt {
	none := make([]byte, wire.NumberSize)
	binary.LittleEndian.PutUint64(none, wire.NoNumber)
	if _, err := file.WriteAt(none, 0); err != nil { // beyond its end there is no memory
		return file
	}
	m, err := syscall.Mmap(int(file.Fd()), 0, wire.NumberSize, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		return file
	}
	file.Close()
	return memory(m)
}

// ask writes an answer with a question, and reads the reply. A task calls it, so that it must not park: these
// system calls block the thread. The request has been read to its end, and nothing but the reply follows.
func ask(question []byte) int {
	line := append([]byte(`{"kind":"`+string(wire.Choose)+`","question":"`), base64.StdEncoding.EncodeToString(question)...)
	for line = append(line, "\"}\n"...); len(line) > 0; {
		line = line[transferred(syscall.SYS_WRITE, wire.AnswerFile, line):]
	}
	var reply [wire.ReplySize]byte
	for rest := reply[:]; len(rest) > 0; {
		rest = rest[transferred(syscall.SYS_READ, wire.RequestFile, rest):]
	}
	return int(int32(binary.LittleEndian.Uint32(reply[:])))
}

// transferred makes a system call, and returns how many bytes it has read or written. If stress test has ended,
// so does the process.
func transferred(call uintptr, file uintptr, p []byte) int {
	for {
		n, _, err := syscall.RawSyscall(call, file, uintptr(unsafe.Pointer(&p[0])), uintptr(len(p)))
		switch {
		case err == syscall.EINTR || err == syscall.EAGAIN:
		case err != 0 || n == 0:
			os.Exit(2)
		default:
			return int(n)
		}
	}
}

// memory is written to without a system call.
type memory []byte

func (m memory) WriteAt(p []byte, at int64) (int, error) { return copy(m[at:], p), nil }
