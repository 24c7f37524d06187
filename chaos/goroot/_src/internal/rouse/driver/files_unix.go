//go:build unix

package driver

import (
	"encoding/base64"
	"encoding/binary"
	"internal/syscall/unix"
	"io"
	"os"
	"runtime"
	"strconv"
	"syscall"
	"unsafe"

	"internal/rouse/chaos/goroot/wire"
	"internal/rouse/chaos/goroot/worker"
)

// highFile is the lowest number of the files of the worker, if the limits of the process allow it: a test
// that opens a thousand files, or closes those that it has not opened, is rare.
const highFile = 1000

// keep moves a file to a high number, and keeps it from processes that the tests start. It returns the number.
func keep(file int) int {
	for _, least := range []int{highFile, 100} {
		if moved, err := unix.Fcntl(file, syscall.F_DUPFD_CLOEXEC, least); err == nil {
			syscall.Close(file)
			return moved
		}
	}
	syscall.CloseOnExec(file)
	return file
}

// makeNumber makes a file of the number in that folder.
func makeNumber(folder string) int {
	name := folder + "/" + wire.NumberPrefix + strconv.Itoa(os.Getpid())
	file, err := syscall.Open(name, syscall.O_RDWR|syscall.O_CREAT|syscall.O_CLOEXEC, 0o600)
	if err != nil {
		return none
	}
	return keep(file)
}

// numbers returns the memory of the file of the number if it can be mapped: a system call in each
// execution takes as long as ten points.
func numbers(file *os.File) io.WriterAt {
	empty := make([]byte, wire.NumberSize)
	binary.LittleEndian.PutUint64(empty, wire.NoNumber)
	if _, err := file.WriteAt(empty, 0); err != nil { // beyond its end there is no memory
		return file
	}
	runtime.RouseMaps()
	m, err := syscall.Mmap(int(file.Fd()), 0, wire.NumberSize, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		return file
	}
	file.Close()
	return memory(m)
}

// ask writes an answer with a question, and reads the reply. A task calls it, so that it must not park: these
// system calls block the thread. The request has been read to its end, and nothing but the reply follows.
func ask(w *worker.Worker, question []byte) int {
	line := append([]byte(`{"kind":"`+string(wire.Choose)+`","nonce":"`+setup.Nonce+`","question":"`), base64.StdEncoding.EncodeToString(question)...)
	for line = append(line, "\"}\n"...); len(line) > 0; {
		line = line[transferred(w, syscall.SYS_WRITE, answerFile, line):]
	}
	var reply [wire.ReplySize]byte
	for rest := reply[:]; len(rest) > 0; {
		rest = rest[transferred(w, syscall.SYS_READ, requestFile, rest):]
	}
	return int(int32(binary.LittleEndian.Uint32(reply[:])))
}

// transferred makes a system call, and returns how many bytes it has read or written. If stress test has ended,
// so does the process.
func transferred(w *worker.Worker, call uintptr, file int, p []byte) int {
	for {
		n, _, err := syscall.RawSyscall(call, uintptr(file), uintptr(unsafe.Pointer(&p[0])), uintptr(len(p)))
		switch {
		case err == syscall.EINTR || err == syscall.EAGAIN:
		case err != 0 || n == 0:
			w.Lost()
			os.Exit(2)
		default:
			return int(n)
		}
	}
}

// memory is written to without a system call.
type memory []byte

func (m memory) WriteAt(p []byte, at int64) (int, error) { return copy(m[at:], p), nil }
