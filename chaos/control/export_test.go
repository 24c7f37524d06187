package control

// SetTrap replaces the breakpoint by which an execution stops, until the function returned is called.
func SetTrap(f func()) (restore func()) {
	was := trap
	trap = f
	return func() { trap = was }
}
