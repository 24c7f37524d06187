package groups

import (
	"errors"
	"sync"
	"testing"
)

type user struct{ name string }

type users struct {
	mu   sync.Mutex
	byID map[string]*user
}

func (u *users) get(id string) *user {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.byID[id]
}

func (u *users) remove(id string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.byID, id)
}

// A request that panics is recovered, as net/http does. The next one must go on.
func TestFlightPanic(t *testing.T) {
	store := &users{byID: map[string]*user{"7": {"ann"}}}
	var flight Flight
	request := func() (name string, err error) {
		defer func() {
			if recover() != nil {
				err = errors.New("500")
			}
		}()
		return flight.Do("7", func() (string, error) {
			if store.get("7") == nil {
				return "", errors.New("404")
			}
			return store.get("7").name, nil
		})
	}
	var wg sync.WaitGroup
	wg.Go(func() { request() })
	wg.Go(func() { store.remove("7") })
	wg.Wait()
	if name, err := request(); err == nil {
		t.Errorf("removed, and %q is found", name)
	}
}
