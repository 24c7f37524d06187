package caches

import (
	"sync"
	"testing"
)

func TestFiles(t *testing.T) {
	var files Files
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			f := files.Open("a.txt")
			defer f.Close()
			if got := f.Read(); got != "contents of a.txt" {
				t.Errorf("Read = %q", got)
			}
		}()
	}
	wg.Wait()
}
