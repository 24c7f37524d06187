package kubernetes

import (
	"sync"
	"testing"
)

type credentials struct{ region string }

// A lazyProvider makes the provider of a region at the first request.
type lazyProvider struct {
	actual *credentials
	once   sync.Once
}

func (l *lazyProvider) get(once bool) *credentials {
	create := func() { l.actual = &credentials{"eu"} }
	if once {
		l.once.Do(create)
	} else if l.actual == nil {
		create()
	}
	return l.actual
}

func kubernetes82550(once bool) {
	l := new(lazyProvider)
	var pulls sync.WaitGroup
	for range 2 {
		pulls.Go(func() { _ = l.get(once) })
	}
	pulls.Wait()
}

func TestKubernetes82550(*testing.T) { kubernetes82550(false) }

func TestKubernetes82550Fixed(*testing.T) { kubernetes82550(true) }
