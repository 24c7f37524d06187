//go:build !unix

package driver

// closeOnExec does nothing: stress test starts no worker here.
func closeOnExec(int) {}
