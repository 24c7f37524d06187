package command

import (
	"errors"
	"fmt"
	"syscall"
)

// Exit codes; an interruption adds 128 to the number of its signal.
const (
	ExitFailed = 1
	exitUsage  = 2
	exitTool   = 3
)

// An ExitError ends the process with a code, and with a line on standard error if Err is set.
type ExitError struct {
	Code int
	Err  error
}

func (e *ExitError) Error() string { return fmt.Sprintf("exit code %d: %v", e.Code, e.Err) }

// Usage is an error in what the user asked for.
func Usage(format string, args ...any) *ExitError {
	return &ExitError{exitUsage, fmt.Errorf(format, args...)}
}

// Failed is an error that stopped the tool while it ran: an interruption, or a failure of its own.
func Failed(err error) *ExitError {
	var s signalled
	if errors.As(err, &s) {
		return &ExitError{128 + int(s.Signal.(syscall.Signal)), nil}
	}
	return &ExitError{exitTool, err}
}
