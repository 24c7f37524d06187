package testlog

import "internal/rouse"

// A worker notes what package os is asked for, from before the first package of the user is initialised: a result of
// the tests holds while that is what it was. go test begins later, when the tests begin.
func init() {
	if rouse.Notes() {
		SetLogger(rouseLogger{})
	}
}

// rouseLogger is a logger whose locks are no points, and no synchronisation to the race detector.
type rouseLogger struct{}

//go:norace
func (rouseLogger) Getenv(key string) { rouse.Note('e', key) }

//go:norace
func (rouseLogger) Open(name string) { rouse.Note('o', name) }

//go:norace
func (rouseLogger) Stat(name string) { rouse.Note('s', name) }

//go:norace
func (rouseLogger) Chdir(dir string) { rouse.Note('c', dir) }
