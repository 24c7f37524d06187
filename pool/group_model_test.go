package pool_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/leanovate/gopter/gen"

	"github.com/rouse-go/rouse/internal/proptest"
	"github.com/rouse-go/rouse/pool"
)

// A groupModel is what a group of jobs is in that have begun, or wait for a place, and end when they are told to.
type groupModel struct {
	limit    int // -1: none
	held     int // jobs that have begun
	pending  int // jobs that a job of the group has started at the limit
	first    string
	panicked bool
	cause    string // of the context
	// quiet: a job has failed first when the context had ended, so that nothing says when that is noted.
	quiet bool
}

// failed is the model when a job has failed so.
func (m groupModel) failed(how string) groupModel {
	if m.first == "" {
		m.first, m.quiet = how, m.cause != ""
	}
	if m.cause == "" {
		m.cause = how
	}
	m.panicked = m.panicked || how == "panic"
	return m
}

// A groupSubject is a group whose jobs are held.
type groupSubject struct {
	p     *pool.Pool
	g     *pool.Group
	ctx   context.Context
	begun chan *heldJob
	held  []*heldJob

	limit, pending int // as in the model
}

// A heldJob does what it is sent, until that is how it ends.
type heldJob struct{ does chan any }

var errModel = errors.New("model")

func (s *groupSubject) job(*pool.Worker) error {
	j := &heldJob{make(chan any)}
	s.begun <- j
	for {
		switch do := (<-j.does).(type) {
		case func():
			do()
		case string:
			switch do {
			case "error":
				return errModel
			case "panic":
				panic(do)
			case "goexit":
				runtime.Goexit()
			}
			return nil
		}
	}
}

// begins waits until one more job has begun.
func (s *groupSubject) begins() {
	s.held = append(s.held, <-s.begun)
}

// saw is what a context, an error or a panic of the group says.
func saw(err error) string {
	var panicked *pool.PanicError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &panicked):
		return "panic"
	case errors.Is(err, errModel):
		return "error"
	case errors.Is(err, pool.ErrGoexit):
		return "goexit"
	case errors.Is(err, context.Canceled):
		return "canceled"
	}
	return err.Error()
}

// caught is saw for what f returns or panics with.
func caught(f func() error) (what string) {
	defer func() {
		if v := recover(); v != nil {
			err, is := v.(error)
			what = "panics: " + fmt.Sprint(v)
			if is {
				what = "panics: " + saw(err)
			}
		}
	}()
	return saw(f())
}

// Catches: a group that differs from the model: another error, a panic that is lost, a place that is not given
// back or given twice, a limit that is changed under active jobs, a context that ends too early, too late or with
// another cause, a group that cannot be used again.
func TestGroupModel(t *testing.T) {
	p, err := pool.New(2, pool.WithPanicHandler(func(*pool.PanicError) {}))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = p.Close(background) }()
	var made []*groupSubject
	proptest.Check(t, 100, 40, proptest.Machine[groupModel, *groupSubject]{
		Initial: gen.Const(groupModel{limit: -1}),
		New: func(groupModel) *groupSubject {
			for _, s := range made {
				s.finish()
			}
			s := &groupSubject{p: p, begun: make(chan *heldJob), limit: -1}
			s.g, s.ctx = p.Group(background)
			s.g.SetBlocking(true)
			made = []*groupSubject{s}
			return s
		},
		Commands: func(groupModel) []proptest.Command[groupModel, *groupSubject] { return groupCommands() },
	}.Property())
	for _, s := range made {
		s.finish()
	}
}

// finish lets all jobs end.
func (s *groupSubject) finish() {
	done := make(chan struct{})
	go func() {
		defer close(done)
		caught(s.g.Wait)
	}()
	for {
		for _, j := range s.held {
			j.does <- ""
		}
		s.held = nil
		select {
		case <-done:
			return
		case j := <-s.begun:
			s.held = append(s.held, j)
		}
	}
}

func groupCommands() []proptest.Command[groupModel, *groupSubject] {
	commands := []proptest.Command[groupModel, *groupSubject]{
		{
			Name: "Go", When: func(m groupModel) bool { return (m.limit < 0 || m.held < m.limit) && m.held < 6 },
			Step: func(m groupModel) (groupModel, any) { m.held++; return m, "begins" },
			Run:  func(s *groupSubject) any { s.g.Go(s.job); s.begins(); return "begins" },
		},
		{
			Name: "TryGo", When: func(m groupModel) bool { return m.held < 6 },
			Step: func(m groupModel) (groupModel, any) {
				room := m.limit < 0 || m.held < m.limit
				if room {
					m.held++
				}
				return m, room
			},
			Run: func(s *groupSubject) any {
				is, hasRoom := s.g.TryGo(s.job), s.limit < 0 || len(s.held) < s.limit
				for until := time.Now().Add(10 * time.Second); hasRoom && !is && time.Now().Before(until); is = s.g.TryGo(s.job) {
					time.Sleep(time.Millisecond) // the job that has ended last is about to give its place back
				}
				if is {
					s.begins()
				}
				return is
			},
		},
		{
			Name: "Go at the limit, in a job", When: func(m groupModel) bool { return m.held > 0 && m.limit == m.held && m.pending < 3 },
			Step: func(m groupModel) (groupModel, any) { m.pending++; return m, "returns" },
			Run: func(s *groupSubject) any {
				returned := make(chan struct{})
				s.held[0].does <- func() { s.g.Go(s.job); close(returned) }
				<-returned
				s.pending++
				return "returns"
			},
		},
		{
			Name: "SetLimit under active jobs", When: func(m groupModel) bool { return m.held > 0 },
			Step: func(m groupModel) (groupModel, any) { return m, true },
			Run: func(s *groupSubject) (panicked any) {
				defer func() { panicked = recover() != nil }()
				s.g.SetLimit(1)
				return nil
			},
		},
		{
			Name: "Cause", When: func(m groupModel) bool { return true },
			Step: func(m groupModel) (groupModel, any) { return m, m.cause },
			Run:  func(s *groupSubject) any { return saw(context.Cause(s.ctx)) },
		},
	}
	for _, how := range []string{"", "error", "panic", "goexit"} {
		commands = append(commands, proptest.Command[groupModel, *groupSubject]{
			Name: "End " + how, When: func(m groupModel) bool { return m.held > 0 && (how == "" || !m.quiet) },
			Step: func(m groupModel) (groupModel, any) {
				m.held--
				if m.pending > 0 {
					m.held, m.pending = m.held+1, m.pending-1
				}
				if how != "" {
					m = m.failed(how)
				}
				return m, m.cause
			},
			Run: func(s *groupSubject) any {
				j := s.held[0]
				s.held = slices.Delete(s.held, 0, 1)
				j.does <- how
				if s.pending > 0 {
					s.pending--
					s.begins()
				}
				if how != "" {
					<-s.ctx.Done()
				}
				return saw(context.Cause(s.ctx))
			},
		})
	}
	for _, limit := range []int{-1, 1, 2, 3} {
		for name, wait := range map[string]func(s *groupSubject) string{
			"Wait": func(s *groupSubject) string { return caught(s.g.Wait) },
			"Wait in a job": func(s *groupSubject) (what string) {
				_ = s.p.Run(background, func(w *pool.Worker) error { what = caught(func() error { return w.Wait(s.g) }); return nil })
				return what
			},
		} {
			commands = append(commands, proptest.Command[groupModel, *groupSubject]{
				Name: fmt.Sprintf("%s, SetLimit(%d)", name, limit),
				Step: func(m groupModel) (groupModel, any) {
					want := m.first
					if m.panicked {
						want = "panics: panic"
					}
					if m.cause == "" {
						m.cause = "canceled"
					}
					m.limit, m.held, m.pending, m.quiet = limit, 0, 0, false
					return m, want
				},
				Run: func(s *groupSubject) any {
					var all sync.WaitGroup
					var what string
					all.Go(func() { what = wait(s) })
					for n := len(s.held) + s.pending; n > 0; n-- {
						if len(s.held) == 0 {
							s.begins()
						}
						s.held[0].does <- ""
						s.held = s.held[1:]
					}
					all.Wait()
					s.g.SetLimit(limit)
					s.limit, s.pending = limit, 0
					return what
				},
			})
		}
	}
	slices.SortFunc(commands, func(a, b proptest.Command[groupModel, *groupSubject]) int {
		if a.Name < b.Name {
			return -1
		}
		return 1
	})
	return commands
}
