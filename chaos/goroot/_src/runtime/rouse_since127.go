//go:build go1.27

package runtime

// rouseAsyncChans is false: each channel knows of its timer, whatever GODEBUG says.
func rouseAsyncChans() bool { return false }
