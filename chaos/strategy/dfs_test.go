package strategy

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
)

// binomial returns n over k.
func binomial(n, k int) int {
	b := 1
	for i := range k {
		b = b * (n - i) / (i + 1)
	}
	return b
}

func TestDFSRunsEverySchedule(t *testing.T) {
	for n := 1; n <= 7; n++ {
		s := DFS(-1).(Exhaustive)
		got := newSim(straight(n, n)).explore(s, 0, func(int, outcome) bool { return true })
		if want := binomial(2*n, n); got != want || !s.Complete() {
			t.Errorf("two tasks of %d steps: %d executions (complete: %v), want %d", n, got, s.Complete(), want)
		}
	}
	if got := newSim(straight(2, 3, 4)).explore(DFS(-1), 0, always); got != 1260 {
		t.Errorf("tasks of 2, 3, 4 steps: %d executions, want 9!/(2!3!4!) = 1260", got)
	}
}

func always(int, outcome) bool { return true }

// Two tasks of n steps, b preemptions: the first task is left after some of its
// steps, and so on. Each runs in blocks; all blocks but a task's last end in a
// preemption, and the last in none.
func TestDFSCountsPreemptions(t *testing.T) {
	const n = 6
	for bound := range 2 * n {
		want := 0
		for first := 1; first <= n; first++ { // blocks of the task that begins
			for _, second := range []int{first - 1, first} {
				if second < 1 || first+second-2 > bound {
					continue
				}
				want += 2 * binomial(n-1, first-1) * binomial(n-1, second-1)
			}
		}
		if got := newSim(straight(n, n)).explore(DFS(bound), 0, always); got != want {
			t.Errorf("at most %d preemptions: %d executions, want %d", bound, got, want)
		}
	}
}

// The rounds on random programs, against unbounded DFS: the same schedules, each
// once, in the order of their preemptions.
func TestDFSRounds(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	programs, schedules := 0, 0
	for programs < 200 {
		p := generate(r, 8)
		all, byPreemptions := map[string]int{}, map[int]int{}
		m := newSim(p)
		if n := m.explore(DFS(-1), 0, func(n int, o outcome) bool {
			key := m.schedule()
			if _, twice := all[key]; twice {
				t.Fatalf("unbounded: %q ran twice", key)
			}
			all[key] = o.preemptions
			byPreemptions[o.preemptions]++
			return n < 2000
		}); n > 2000 {
			continue
		}
		programs++
		schedules += len(all)
		for _, bound := range []int{0, 1, 2, 3, 20} {
			seen, last := map[string]bool{}, 0
			s := DFS(bound)
			m.explore(s, 0, func(n int, o outcome) bool {
				key := m.schedule()
				if preemptions, known := all[key]; seen[key] || !known || preemptions != o.preemptions || o.preemptions < last {
					t.Fatalf("dfs(%d), execution %d: %q: %d preemptions after %d; seen before: %v; by unbounded DFS: %v", bound, n, key,
						o.preemptions, last, seen[key], known)
				}
				seen[key], last = true, o.preemptions
				return true
			})
			want := 0
			for preemptions, n := range byPreemptions {
				if preemptions <= bound {
					want += n
				}
			}
			if len(seen) != want || !s.(*dfs).exhausted {
				t.Fatalf("dfs(%d): %d schedules, want %d", bound, len(seen), want)
			}
			complete, bounded := s.(*dfs).Complete(), s.(*dfs).Bounded()
			if complete && want != len(all) || !complete && bound == 20 || complete != (bounded == "") {
				t.Fatalf("dfs(%d) with %d of %d schedules: complete is %v, bounded: %q", bound, want, len(all), complete, bounded)
			}
		}
	}
	t.Logf("%d programs, %d schedules", programs, schedules)
}

func TestDFSFirstFailureHasTheFewestPreemptions(t *testing.T) {
	for _, test := range []struct {
		p    *program
		want int
	}{
		{window(4, 4, false), 1},
		{window(4, 4, true), 2},
		{reorder(4, true), 1},
	} {
		var got outcome
		newSim(test.p).explore(DFS(5), 0, func(_ int, o outcome) bool {
			got = o
			return !o.Failed
		})
		if !got.Failed || got.preemptions != test.want {
			t.Errorf("failed: %v, with %d preemptions; want %d", got.Failed, got.preemptions, test.want)
		}
	}
}

// A task that yields in a loop for another may be left at no cost, although it is
// what the canonical policy would choose; a loop that does not end is cut, and spoils
// completeness.
func TestDFSYieldIsNoPreemption(t *testing.T) {
	p := &program{warm: true, objects: []int{0}, tasks: [][]instr{
		{{do: point}, {do: spawn, a: 1}, {do: yield}, {do: load}, {do: skip, a: 0, b: -3}}, {{do: store, a: 1}}}}
	m := newSim(p)
	m.limit = 20
	s := DFS(0).(Exhaustive)
	ended := false
	m.explore(s, 0, func(_ int, o outcome) bool {
		ended = ended || !o.Cut
		return true
	})
	if !ended || s.Complete() {
		t.Errorf("the loop ended: %v; complete although some executions were cut: %v", ended, s.Complete())
	}
}

// A subject that is not deterministic is noticed at the step itself.
func TestDFSNoticesDivergence(t *testing.T) {
	other := func(change func(p *program)) *program {
		p := straight(3, 3)
		change(p)
		return p
	}
	for name, test := range map[string]struct {
		then *program
		want string
	}{
		"fewer tasks":     {other(func(p *program) { p.tasks[1] = nil }), "step 0 has 1 task"},
		"more tasks":      {straight(3, 3, 3), "step 0 has 3 tasks"},
		"a shorter task":  {other(func(p *program) { p.tasks[0] = p.tasks[0][:2] }), "step 2 has 1 task"},
		"another task":    {other(func(p *program) { p.tasks[0][1].do = load }), "step 1 has other tasks"},
		"a pick":          {other(func(p *program) { p.tasks[0][1] = instr{do: pick, a: 2} }), "step 1 has other tasks"},
		"a pick of three": {&program{present: 1, warm: true, objects: []int{0}, tasks: [][]instr{{{do: pick, a: 3}}}}, "step 0 has 1 task"},
	} {
		t.Run(name, func(t *testing.T) {
			s := DFS(-1)
			newSim(straight(3, 3)).execute(s, Execution{})
			err := divergence(func() { newSim(test.then).execute(s, Execution{Number: 1}) })
			var typed *DivergenceError
			if !errors.As(err, &typed) || typed.Strategy != "dfs" || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
	t.Run("none", func(t *testing.T) {
		s := DFS(-1)
		if err := divergence(func() { newSim(straight(3, 3)).explore(s, 0, always) }); err != nil {
			t.Error(err)
		}
	})
}

// An execution that ends before the prefix does is noticed at its end.
func TestDFSNoticesAnEarlyEnd(t *testing.T) {
	s := DFS(-1)
	newSim(straight(3, 3)).execute(s, Execution{})
	m := newSim(straight(3, 3))
	m.limit = 2
	if err := divergence(func() { m.execute(s, Execution{Number: 1}) }); err == nil || !strings.Contains(err.Error(), "no such step") {
		t.Errorf("got %v", err)
	}
}

// divergence returns what a call panics with.
func divergence(call func()) (err error) {
	defer func() {
		if e := recover(); e != nil {
			err = e.(error)
		}
	}()
	call()
	return nil
}
