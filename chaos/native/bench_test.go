//go:build chaos

package native

import (
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/hooks"
)

// What a visit costs: of a point without faults, by one goroutine and by all; of
// a point with a fault that fires half the time; with no engine.
func BenchmarkVisit(b *testing.B) {
	b.Run("no engine", func(b *testing.B) {
		for b.Loop() {
			hooks.At(atPoint)
		}
	})
	b.Run("no fault", func(b *testing.B) {
		arm(b, 1)
		for b.Loop() {
			hooks.At(atPoint)
		}
	})
	b.Run("no fault, parallel", func(b *testing.B) {
		arm(b, 1)
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				hooks.At(atPoint)
			}
		})
	})
	b.Run("roll", func(b *testing.B) {
		arm(b, 1, chaos.Fault{At: "native/value", Kind: hooks.Rolls, Probability: 0.5})
		for b.Loop() {
			hooks.Value(valuePoint, 7)
		}
	})
}

// What a task costs, compared with a plain goroutine.
func BenchmarkTask(b *testing.B) {
	spawn := func(b *testing.B, wrap func(func()) func()) {
		b.ReportAllocs()
		done := make(chan struct{})
		for b.Loop() {
			go wrap(func() { done <- struct{}{} })()
			<-done
		}
	}
	b.Run("no engine", func(b *testing.B) { spawn(b, hooks.Task) })
	b.Run("engine", func(b *testing.B) {
		arm(b, 1)
		spawn(b, hooks.Task)
	})
}
