package stress

import (
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/spf13/cobra"
)

// A Target says what a program must know to torment code of type S, such as *queue.Queue:
// how to make one, what to do to it, and what must be true of it. Subject checks it.
//
// Whatever is called here runs truly parallel in native scenarios, and one task at a
// time in controlled ones. For the latter all synchronisation must be by the drop-ins of
// package hooks, goroutines must be started with Execution.Go, or with hooks.Task, and
// what is drawn must be drawn from Execution.Rand: then an execution repeats exactly.
type Target[S any] struct {
	// Name, Packages, Scenarios and Commands: see Subject.
	Name      string
	Packages  []string
	Scenarios []byte
	Commands  []func() *cobra.Command

	// New makes what one execution is about. It is called once in each, by the task named
	// "workload", which calls the workload and the oracles after it.
	New func(x *Execution) S
	// Workloads are what can be done to it; at least one.
	Workloads []Work[S]
	// Oracles are asked when the workload has returned and all that it started with
	// Execution.Go has ended: each says by Execution.Convict what is wrong.
	Oracles []Judgement[S]

	// State, if set, is a dump of the subject for people, and Stuck says why it does not
	// go on. Both are called when it does not, from a goroutine of none of its tasks,
	// while these stand where they stopped: reading must be safe then, and a lock that is
	// held by one of them is not waited for longer than two seconds under control.
	State func(S) string
	// Stuck returns nil if it knows no more than that nobody can go on.
	Stuck func(S) *Standstill
}

// Work is a workload of a Target.
type Work[S any] struct {
	Name, About string
	Params      []Param // each with a name of its own
	// Run does it. It must come to an end, unless the subject is broken.
	Run func(x *Execution, subject S)
}

// A Judgement is an oracle: it judges an execution that has come to its end.
type Judgement[S any] struct {
	Name  string
	Judge func(x *Execution, subject S)
}

// A Standstill says why a subject does not go on.
type Standstill struct {
	Verdict Verdict // such as LostWakeup
	Summary string  // who waits for what, in one line
	// Of a lost wakeup: the name of the task that sleeps, and the hook points that mark
	// what the notification was to tell of. The explanation looks for them in what is on
	// record.
	Sleeper string
	Posts   []string
}

// Subject checks the target and returns it as Main takes it. A Target is written in the
// program's source, so that what is wrong with it is a panic.
func (t Target[S]) Subject() Subject {
	if err := t.check(); err != nil {
		panic("stress: " + err.Error())
	}
	s := Subject{Name: t.Name, Packages: t.Packages, Scenarios: t.Scenarios, Commands: t.Commands, guest: true}
	for _, w := range t.Workloads {
		s.workloads = append(s.workloads, Workload{
			Name: w.Name, About: w.About, params: w.Params,
			run: func(x *execution) { t.run(x, w) },
		})
	}
	return s
}

func (t *Target[S]) check() error {
	switch {
	case !scenarioName.MatchString(t.Name):
		return fmt.Errorf("target %q: want a name of lower-case words joined by hyphens", t.Name)
	case t.New == nil:
		return fmt.Errorf("target %s: want New, which makes the subject", t.Name)
	case len(t.Workloads) == 0:
		return fmt.Errorf("target %s: want at least one workload", t.Name)
	}
	var names []string
	for _, w := range t.Workloads {
		switch {
		case !scenarioName.MatchString(w.Name):
			return fmt.Errorf("target %s: workload %q: want a name of lower-case words joined by hyphens", t.Name, w.Name)
		case slices.Contains(names, w.Name):
			return fmt.Errorf("target %s: two workloads are called %s", t.Name, w.Name)
		case w.Run == nil:
			return fmt.Errorf("target %s: workload %s: want Run", t.Name, w.Name)
		}
		names = append(names, w.Name)
		if err := checkParams(w.Params); err != nil {
			return fmt.Errorf("target %s: workload %s: %w", t.Name, w.Name, err)
		}
	}
	for _, o := range t.Oracles {
		if o.Judge == nil {
			return fmt.Errorf("target %s: oracle %q: want Judge", t.Name, o.Name)
		}
	}
	return nil
}

// run is one execution.
func (t *Target[S]) run(x *execution, w Work[S]) {
	e := &Execution{x: x, params: w.Params}
	subject := t.New(e)
	x.guest.Store(&look{
		state: func() string {
			if t.State == nil {
				return ""
			}
			return t.State(subject)
		},
		stuck: func() *Standstill {
			if t.Stuck == nil {
				return nil
			}
			return t.Stuck(subject)
		},
	})
	w.Run(e, subject)
	e.Wait()
	for _, o := range t.Oracles {
		o.Judge(e, subject)
	}
}

// A look is how the subject of an execution is looked at that does not go on.
type look struct {
	state func() string
	stuck func() *Standstill
}

// lookAt looks at a subject other than the pool, if there is one.
func (s *scene) lookAt(guest *atomic.Pointer[look]) {
	if l := guest.Load(); l != nil {
		s.guest, s.state, s.stuck = true, l.state(), l.stuck()
	}
}

// guestDiagnosis is what the subject itself says of why it does not go on.
func (s *scene) guestDiagnosis(faults []FaultCount) diagnosis {
	d := diagnosis{verdict: Deadlock, summary: "all goroutines are blocked, and no missing notification explains it", faults: faults}
	if s.stuck == nil {
		return d
	}
	d.verdict, d.summary = s.stuck.Verdict, s.stuck.Summary
	if d.verdict == LostWakeup || d.verdict == LostParallelism {
		d.guest = &victim{what: d.summary, worker: s.stuck.Sleeper, posts: s.stuck.Posts}
	}
	return d
}

// explainGuest tells what is on record of it.
func (d *diagnosis) explainGuest(t tale) (lines []string) {
	v := d.guest
	if m, ok := t.latest(func(m moment) bool { return m.task == v.worker }); ok {
		lines = append(lines, fmt.Sprintf("sleeps        %s, which passed %s, %s", v.worker, m.point, m.when))
	}
	posted, at := t.posted(d.faults, v.posts)
	if len(v.posts) > 0 {
		lines = append(lines, "posted        "+posted)
	}
	return append(lines, "notification  "+t.notification(d.faults, at, ""))
}

// points are the hook points of the subjects: of those packages, or all.
func points(subjects []Subject) (all []PointInfo) {
	for _, p := range Points() {
		if slices.ContainsFunc(subjects, func(s Subject) bool { return s.has(p.Name) }) {
			all = append(all, p)
		}
	}
	return all
}

// has reports whether the hook point is one of the subject's.
func (s *Subject) has(point string) bool {
	return len(s.Packages) == 0 || slices.ContainsFunc(s.Packages, func(p string) bool {
		return len(point) > len(p) && point[:len(p)] == p && point[len(p)] == '/'
	})
}
