//go:build unix && !linux

package process

import "syscall"

// signalBusiest returns false: the threads of a process cannot be inspected on this system.
func signalBusiest(int, syscall.Signal) bool { return false }
