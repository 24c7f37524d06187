//go:build !unix

package runtime

func rouseMakeRoom() {}
