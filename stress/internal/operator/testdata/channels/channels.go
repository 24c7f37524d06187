// operators: delete-close delete-send send-may-drop drop-case drop-default add-default buffer-more
// operators: buffer-less delete-wait

// Package channels is searched for mutants: want names those of a line.
package channels

import "context"

func pipe(ctx context.Context, n int) chan int {
	out := make(chan int, n)    // want buffer-more buffer-less
	stop := make(chan struct{}) // want buffer-more
	one := make(chan int, 1)    // want buffer-more buffer-less
	_ = make(chan int, 0)       // want buffer-more
	_ = make([]int, n)
	go func() {
		defer close(out) // want delete-close
		for i := range n {
			select { // want add-default
			case out <- i: // want drop-case
			case <-ctx.Done(): // want drop-case
				return
			}
		}
		one <- 1    // want delete-send send-may-drop
		close(stop) // want delete-close
	}()
	select {
	case <-stop: // want drop-case
	default: // want drop-default
	}
	select { // want add-default
	case <-stop:
	}
	<-stop // want delete-wait
	v := <-one
	_ = v
	return out
}

// A close that is not the builtin.
type file struct{}

func (file) close() {}

func closes(f file) {
	close := func(int) {}
	close(1)
	f.close()
}

// An empty select waits for nothing that a default could replace.
func forever() {
	select {}
}

// A function that ends with the select has no other end.
func either(a, b chan int) int {
	select {
	case v := <-a: // want drop-case
		return v
	case v := <-b: // want drop-case
		return v
	}
}
