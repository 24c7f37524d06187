package queues

import (
	"slices"
	"sync"
	"testing"
)

func TestStack(t *testing.T) {
	for _, test := range []struct {
		name    string
		batches [][]string
	}{
		{"one by one", [][]string{{"a"}, {"b"}, {"c"}}},
		{"at once", [][]string{{"a", "b", "c"}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := NewStack()
			var (
				wg  sync.WaitGroup
				mu  sync.Mutex
				got []string
			)
			for range 3 {
				wg.Add(1)
				go func() {
					defer wg.Done()
					job := s.Pop()
					mu.Lock()
					defer mu.Unlock()
					got = append(got, job)
				}()
			}
			for _, jobs := range test.batches {
				s.Push(jobs...)
			}
			wg.Wait()
			slices.Sort(got)
			if want := []string{"a", "b", "c"}; !slices.Equal(got, want) {
				t.Errorf("got the jobs %q, want %q", got, want)
			}
		})
	}
}
