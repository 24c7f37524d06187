package stdout

import (
	"errors"
	"io"
	"syscall"
)

// A Sink keeps the first error that writing met.
type Sink struct {
	io.Writer
	// Unread, if set, is called with the first error if what is written can never be read: what the
	// command has yet to do has no use.
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
