//go:build !chaos

package pool

func closeChannel(c chan struct{}) { close(c) }
