package cs

import "sync"

// together runs the functions, each in a goroutine, and waits until all have returned.
func together(fs ...func()) {
	var wg sync.WaitGroup
	for _, f := range fs {
		wg.Go(f)
	}
	wg.Wait()
}

// times returns n copies of f.
func times(n int, f func()) []func() {
	fs := make([]func(), n)
	for i := range fs {
		fs[i] = f
	}
	return fs
}
