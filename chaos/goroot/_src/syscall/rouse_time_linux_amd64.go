package syscall

import (
	"internal/rouse"
	_ "unsafe" // linkname
)

// gettimeofday is called by golang.org/x/sys too, by its name.
//
//go:linkname gettimeofday
//go:nosplit
//go:norace
func gettimeofday(tv *Timeval) (err Errno) {
	if rouse.On != 0 {
		if sec, nsec, ok := rouseTime(); ok {
			tv.Sec, tv.Usec = sec, int64(nsec/1000)
			return 0
		}
	}
	return rouseGettimeofday(tv)
}
