package istio

import (
	"maps"
	"sync"
	"testing"
)

// A sidecar is known by the labels of its workload, which decide about its routes.
type sidecar struct {
	mu     sync.Mutex
	labels map[string]string
}

// A discovery server pushes routes to the sidecar, and updates its labels if the workload changes.
type discovery struct {
	sidecar *sidecar
	lock    bool
}

func (d *discovery) hold() (release func()) {
	if !d.lock {
		return func() {}
	}
	d.sidecar.mu.Lock()
	return d.sidecar.mu.Unlock
}

func (d *discovery) push() (routes int) {
	defer d.hold()()
	return len(maps.Clone(d.sidecar.labels))
}

func (d *discovery) workloadUpdate(labels map[string]string) {
	defer d.hold()()
	d.sidecar.labels = labels
}

func istio16742(lock bool) {
	d := &discovery{sidecar: new(sidecar), lock: lock}
	var streams sync.WaitGroup
	streams.Go(func() { _ = d.push() })
	streams.Go(func() { d.workloadUpdate(map[string]string{"app": "a"}) })
	streams.Wait()
}

func TestIstio16742(*testing.T) { istio16742(false) }

func TestIstio16742Fixed(*testing.T) { istio16742(true) }
