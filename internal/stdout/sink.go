package stdout

import (
	"errors"
	"io"
	"syscall"
)

// A Sink is a writer that keeps the first write error.
type Sink struct {
	io.Writer
	// Unread, if set, is called with the first error if the output can never be read, so that the
	// rest of the command has no use.
	Unread func(error)
	Err    error
}

func (s *Sink) Write(p []byte) (int, error) {
	n, err := s.Writer.Write(p)
	if s.Err == nil && err != nil {
		s.Err = err
		if s.Unread != nil && errors.Is(err, syscall.EPIPE) {
			s.Unread(err)
		}
	}
	return n, err
}
