package input

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// An Error reports what is wrong with a file that exists.
type Error struct{ Found, Want string }

func (e *Error) Error() string { return "found " + e.Found + ", want " + e.Want }

// Read reads a regular file of at most the given number of bytes. It refuses pipes (including process
// substitution and standard input), devices, sockets and folders before it opens them: reading them could
// block, or works only once. Errors are *Errors, or those of the operating system.
func Read(path string, most int64) ([]byte, error) {
	info, err := os.Stat(path)
	var p *fs.PathError
	if errors.As(err, &p) {
		p.Op = "open" // like the error of os.ReadFile
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
	size := info.Size()
	var data []byte
	if size <= most {
		if data, err = io.ReadAll(io.LimitReader(f, most+1)); err != nil { // it may have grown
			return nil, err
		}
		size = int64(len(data))
	}
	if size > most {
		return nil, &Error{fmt.Sprintf("%d bytes", size), fmt.Sprintf("at most %d", most)}
	}
	return data, nil
}

// kindOf returns the kind of a file that is not regular, and "" for a regular one.
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
