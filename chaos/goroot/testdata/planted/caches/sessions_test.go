package caches

import (
	"sync"
	"testing"
)

func TestSessions(t *testing.T) {
	var s Sessions
	var wg sync.WaitGroup
	for _, users := range [][]string{{"ann", "bob"}, {"bob", "ann"}} {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for _, user := range users {
				s.Get(user).Visits.Add(1)
			}
		}()
	}
	wg.Wait()
	for user, want := range map[string]int64{"ann": 2, "bob": 2} {
		t.Run(user, func(t *testing.T) {
			if got := s.Get(user).Visits.Load(); got != want {
				t.Errorf("%d visits, want %d", got, want)
			}
		})
	}
}
