package input

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// An Error is what is wrong with a file that could be opened.
type Error struct{ Found, Want string }

func (e *Error) Error() string { return "found " + e.Found + ", want " + e.Want }

// Read reads a regular file of at most that many bytes. What would block, or is read only once, is
// refused before it is opened: pipes (process substitution and standard input among them),
// devices, sockets, folders. Errors are *Errors, or those of the operating system.
func Read(path string, most int64) ([]byte, error) {
	info, err := os.Stat(path)
	var p *fs.PathError
	if errors.As(err, &p) {
		p.Op = "open" // as os.ReadFile says it
	}
	if err != nil {
		return nil, err
	}
	if kind := kindOf(info.Mode()); kind != "" {
		return nil, &Error{kind, "a regular file"}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	tooLarge := func(size int64) error {
		return &Error{fmt.Sprintf("%d bytes", size), fmt.Sprintf("at most %d", most)}
	}
	if info.Size() > most {
		return nil, tooLarge(info.Size())
	}
	data := make([]byte, 0, info.Size()+1) // the end is seen by one more
	for {
		n, err := f.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		switch {
		case int64(len(data)) > most:
			return nil, tooLarge(int64(len(data)))
		case err == io.EOF:
			return data, nil
		case err != nil:
			return nil, err
		case len(data) == cap(data): // it has grown, or does not say how large it is
			data = append(data, 0)[:len(data)]
		}
	}
}

// kindOf names what is no regular file.
func kindOf(mode fs.FileMode) string {
	switch {
	case mode.IsRegular():
		return ""
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeNamedPipe != 0:
		return "a pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "something that is no file"
}
