//go:build !go1.27

package runtime

// rouseAsyncChans reports whether channels do not know of their timers.
func rouseAsyncChans() bool { return debug.asynctimerchan.Load() != 0 }
