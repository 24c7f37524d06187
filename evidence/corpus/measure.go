package corpus

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	goroot "github.com/rouse-go/rouse/chaos/goroot/corpus"
	"github.com/rouse-go/rouse/chaos/verdict"
)

// most is the maximum number of bugs measured at once: an interruption loses their results.
const most = 8

// A Measurement runs the tests of bugs.
type Measurement struct {
	*Workshop
	Tool   goroot.Tool
	Budget Budget
	Jobs   int
	Known  Results // bugs with a known result of the same files, engine and budget are left out

	// Done is called for each bug with its result and a report of its first failure, in an order that depends on
	// Jobs, but not at the same time.
	Done func(b *Bug, r *Result, report string) error
}

// budget returns the budget of a bug, whose table may ask for more executions.
func (m *Measurement) budget(b *Bug) Budget {
	budget := m.Budget
	budget.Executions = max(budget.Executions, b.Executions)
	return budget
}

// Run measures bugs. The error lists those that cannot be run; the other bugs are measured.
func (m *Measurement) Run(ctx context.Context, bugs []*Bug) error {
	engine, err := Engine(m.Source)
	if err != nil {
		return err
	}
	keys := map[*Bug]*Result{}
	todo := slices.DeleteFunc(slices.Clone(bugs), func(b *Bug) bool {
		hash, e := b.files(m.Root)
		err = errors.Join(err, e)
		key := &Result{Bug: b.ID(), Files: hash, Engine: engine, Go: runtime.Version(), Version: b.Broken, Budget: m.budget(b)}
		keys[b] = key
		known := m.Known[b.ID()]
		return known != nil && known.Files == key.Files && known.Engine == key.Engine && known.Budget == key.Budget
	})
	if err != nil {
		return err
	}
	groups := make(chan []*Bug)
	go func() {
		defer close(groups)
		for _, g := range m.groups(todo) {
			select {
			case groups <- g:
			case <-ctx.Done():
				return
			}
		}
	}()
	var wg sync.WaitGroup
	var mu sync.Mutex
	var problems error
	for range max(m.Jobs, 1) {
		wg.Go(func() {
			for g := range groups {
				e := m.group(ctx, g, keys, &mu)
				mu.Lock()
				problems = errors.Join(problems, e)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return errors.Join(context.Cause(ctx), problems)
}

// groups divides bugs into those that one command can run.
func (m *Measurement) groups(bugs []*Bug) (groups [][]*Bug) {
	same := func(a, b *Bug) bool {
		return a.Set.Dir == b.Set.Dir && a.How == b.How && slices.Equal(a.Args, b.Args) && a.Module == b.Module && a.Broken == b.Broken &&
			a.FixedVersion == b.FixedVersion && m.budget(a) == m.budget(b)
	}
	for _, b := range bugs {
		i := slices.IndexFunc(groups, func(g []*Bug) bool { return len(g) < most && same(g[0], b) })
		if i < 0 {
			groups = append(groups, nil)
			i = len(groups) - 1
		}
		groups[i] = append(groups[i], b)
	}
	return groups
}

// group measures bugs that one command can run.
func (m *Measurement) group(ctx context.Context, bugs []*Bug, keys map[*Bug]*Result, mu *sync.Mutex) error {
	budget := m.budget(bugs[0])
	first := map[*Bug]*finding{}
	for _, b := range bugs {
		keys[b].Verdicts = map[verdict.Verdict]int{}
	}
	for seed := 1; seed <= budget.Seeds; seed++ {
		found, err := m.run(ctx, m.Tool, job{bugs, false, seed, budget.Executions})
		if err != nil {
			return named(bugs, err)
		}
		for b, f := range found {
			keys[b].add(f)
			if first[b] == nil && f.execution > 0 {
				first[b] = f
				keys[b].Summary = f.summary
			}
		}
	}
	for _, b := range bugs {
		if f := first[b]; f != nil && budget.Replays > 0 {
			n, err := m.replay(ctx, m.Tool, b, f, budget.Replays)
			if err != nil {
				return named(bugs, err)
			}
			keys[b].Replayed = n
		}
	}
	if err := m.clean(ctx, bugs, keys, budget.Clean); err != nil {
		return named(bugs, err)
	}
	mu.Lock()
	defer mu.Unlock()
	for _, b := range bugs {
		report := ""
		if f := first[b]; f != nil {
			report = f.report
		}
		if err := m.Done(b, keys[b], report); err != nil {
			return err
		}
	}
	return nil
}

func named(bugs []*Bug, err error) error { return fmt.Errorf("%s: %w", bugs[0].ID(), err) }

// add adds the finding of a seed.
func (r *Result) add(f *finding) {
	r.Verdicts[f.verdict]++
	r.Executions = append(r.Executions, f.execution)
	r.Decisions = append(r.Decisions, f.decisions)
}

// clean runs the fixed versions.
func (m *Measurement) clean(ctx context.Context, bugs []*Bug, keys map[*Bug]*Result, executions int) error {
	fixed := slices.DeleteFunc(slices.Clone(bugs), func(b *Bug) bool { return b.Fixed == "" && b.FixedVersion == "" })
	if len(fixed) == 0 || executions == 0 {
		return nil
	}
	found, err := m.run(ctx, m.Tool, job{fixed, true, 1, executions})
	if err != nil {
		return err
	}
	for b, f := range found {
		keys[b].Fixed = &Fixed{Version: b.FixedVersion, Status: f.status, Verdict: f.verdict, Executions: f.total, Summary: f.summary}
	}
	return nil
}
