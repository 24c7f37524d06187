package original

import (
	"errors"
	"runtime"
	"sync"
	"testing"
)

// semantics are what the port counts on, of the kernel's eventfd and of the model.
func semantics(t *testing.T, fd eventfd) {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(fd.write(0))
	must(fd.write(3))
	must(fd.poll()) // it takes none
	must(fd.poll())
	for range 3 { // each takes one
		must(fd.read())
	}

	// There is none now: all polls return by one token, and it is still there.
	var polls sync.WaitGroup
	for range 3 {
		polls.Go(func() {
			if err := fd.poll(); err != nil {
				t.Error(err)
			}
		})
	}
	must(fd.write(0))
	must(fd.write(1))
	polls.Wait()
	must(fd.read())

	// A token lets one read continue.
	var mu sync.Mutex
	n := 0
	count := func() int {
		mu.Lock()
		defer mu.Unlock()
		return n
	}
	var reads sync.WaitGroup
	for range 2 {
		reads.Go(func() {
			if err := fd.read(); err != nil {
				t.Error(err)
			}
			mu.Lock()
			n++
			mu.Unlock()
		})
	}
	must(fd.write(1))
	for count() == 0 {
		runtime.Gosched()
	}
	for range 100 {
		runtime.Gosched()
	}
	if n := count(); n != 1 {
		t.Errorf("one token let %d reads continue", n)
	}
	must(fd.write(1))
	reads.Wait()
	must(fd.close())
}

func TestModelledEventfd(t *testing.T) {
	fd := newModelled()
	semantics(t, fd)
	for name, err := range map[string]error{"poll": fd.poll(), "read": fd.read(), "write": fd.write(1), "close": fd.close()} {
		if !errors.Is(err, errClosed) {
			t.Errorf("%s after closing: %v", name, err)
		}
	}
}
