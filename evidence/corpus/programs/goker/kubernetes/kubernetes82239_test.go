package kubernetes

import (
	"maps"
	"sync"
	"testing"
)

type claim struct{ annotations map[string]string }

// bind is the controller: it marks each claim that it is notified of.
func bind(claims <-chan *claim) {
	for c := range claims {
		c.annotations["bound"] = "yes"
	}
}

// kubernetes82239 stores a claim in its fake of the server and notifies the controller of it: of
// the same claim or of a copy.
func kubernetes82239(deepCopy bool) {
	stored := &claim{annotations: map[string]string{}}
	claims := make(chan *claim, 1)
	var controller sync.WaitGroup
	controller.Go(func() { bind(claims) })
	notified := stored
	if deepCopy {
		notified = &claim{maps.Clone(stored.annotations)}
	}
	claims <- notified
	stored.annotations["volume"] = "v" // the fake completes what it has stored
	close(claims)
	controller.Wait()
}

func TestKubernetes82239(*testing.T) { kubernetes82239(false) }

func TestKubernetes82239Fixed(*testing.T) { kubernetes82239(true) }
