//go:build unix

package driver

import (
	"encoding/binary"
	"io"
	"os"
	"syscall"

	"internal/rouse/chaos/goroot/wire"
)

// closeOnExec keeps a file from processes that the tests start.
func closeOnExec(file int) { syscall.CloseOnExec(file) }

// numbers returns the memory of the file of the number if it can be mapped: a system call in each
// execution takes as long as ten points.
func numbers(file *os.File) io.WriterAt {
	none := binary.LittleEndian.AppendUint64(nil, wire.NoNumber)
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

// memory is written to without a system call.
type memory []byte

func (m memory) WriteAt(p []byte, at int64) (int, error) { return copy(m[at:], p), nil }
