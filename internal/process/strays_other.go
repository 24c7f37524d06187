//go:build !linux

package process

// Strays are not known here.
type Strays struct{}

// Look finds none.
func (*Strays) Look(int) []Target { return nil }

// Kill ends none.
func (*Strays) Kill() []Target { return nil }
