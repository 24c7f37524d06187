package poll

// rouseSysfd returns the number of a file that may be closed meanwhile. Without control, only who holds a reference reads it.
//
//go:norace
func (fd *FD) rouseSysfd() uintptr { return uintptr(fd.Sysfd) }
