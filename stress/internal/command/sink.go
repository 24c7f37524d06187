package command

import "io"

// A Sink keeps the first error that writing met.
type Sink struct {
	io.Writer
	Err error
}

func (s *Sink) Write(p []byte) (int, error) {
	n, err := s.Writer.Write(p)
	if s.Err == nil {
		s.Err = err
	}
	return n, err
}
