package sleep

import "testing"

// What a post into a busy pool costs: with JEC called as what it is, as it was before there
// were other strategies, and through what pools have.
func BenchmarkPostToABusyPool(b *testing.B) {
	s := jecOf(b, 2, WithInitialJEC(1))
	b.Run("JEC directly", func(b *testing.B) {
		for b.Loop() {
			directly(s, 1, true)
		}
	})
	for _, v := range Variants() {
		s, err := New(2, append(v.Options, WithInitialJEC(1))...)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(v.Name, func(b *testing.B) {
			for b.Loop() {
				s.NewInternalJobs(0, 1, true)
			}
		})
	}
}

//go:noinline
func directly(s *jec, num int, queueWasEmpty bool) {
	old := s.counters.load()
	if s.counters.isSleepy(old) || s.counters.sleeping(old) > 0 {
		s.post(uint64(old), 0, num, queueWasEmpty)
	}
}

// What going idle and finding work costs while no worker sleeps, directly and through the
// interface.
func BenchmarkIdleAndBack(b *testing.B) {
	s, idle := jecOf(b, 2), new(IdleState)
	b.Run("JEC directly", func(b *testing.B) {
		for b.Loop() {
			s.StartLooking(0, idle)
			s.WorkFound(idle)
		}
	})
	for _, v := range Variants() {
		s, err := New(2, v.Options...)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(v.Name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s.StartLooking(0, idle)
				s.WorkFound(idle)
			}
		})
	}
}
