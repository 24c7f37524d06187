//go:build !linux

package process

// Strays is empty: strays are not known on this system.
type Strays struct{}

// Look finds none.
func (*Strays) Look(int) []Target { return nil }

// Kill ends none.
func (*Strays) Kill() []Target { return nil }
