//go:build !linux

package campaign

func stopSelf() {}
