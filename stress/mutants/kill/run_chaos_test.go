//go:build chaos

package kill

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks/atomic"
)

// lostUpdate loses one in some schedules.
func lostUpdate(e *control.Engine) {
	var n, ended atomic.Int64
	for range 2 {
		e.Go(func() {
			n.Store(n.Load() + 1)
			if ended.Add(1) == 2 && n.Load() != 2 {
				e.Fail(verdict.WrongResult, "an update is lost")
			}
		})
	}
}

func answers(t *testing.T, p Program, r Request) (all []Answer) {
	t.Helper()
	if err := run(p, r, func(a Answer) error { all = append(all, a); return nil }); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestRunCountsUntilTheFirst(t *testing.T) {
	r := Request{Strategy: "random", Seeds: 5, Executions: 1000}
	all := answers(t, Program{Body: lostUpdate}, r)
	different := false
	for i, a := range all {
		if a.Seed != i || a.Schema != schema || a.Verdict != verdict.WrongResult || a.Summary != "an update is lost" || a.Executions < 1 {
			t.Errorf("%+v", a)
		}
		different = different || a.Executions != all[0].Executions
	}
	if len(all) != 5 || !different {
		t.Errorf("the series are alike: %+v", all)
	}
	if again := answers(t, Program{Body: lostUpdate}, r); !slices.Equal(all, again) {
		t.Errorf("the same seeds gave %+v and then %+v", all, again)
	}
}

func TestRunOfAProgramThatPasses(t *testing.T) {
	p := Program{Body: func(e *control.Engine) { e.Go(func() {}) }}
	all := answers(t, p, Request{Strategy: "pos", Seeds: 2, Executions: 10})
	if want := (Answer{Schema: schema, Seed: 1, Executions: 10, Verdict: verdict.Pass}); len(all) != 2 || all[1] != want {
		t.Errorf("%+v", all)
	}
	all = answers(t, p, Request{Strategy: "dfs(1)", Seeds: 20, Executions: 1000})
	if len(all) != 1 || !all[0].Complete || all[0].Killed() {
		t.Errorf("an exhaustive strategy: %+v", all)
	}
}

func TestWhatAnExecutionLeavesBehind(t *testing.T) {
	passes := 0
	p := Program{Body: lostUpdate, After: func() (verdict.Verdict, string) {
		if passes++; passes < 3 {
			return verdict.Pass, ""
		}
		return verdict.Invariant, "odd"
	}}
	if all := answers(t, p, Request{Strategy: "default", Seeds: 1, Executions: 10}); all[0].Executions != 3 || all[0].Summary != "odd" {
		t.Errorf("%+v", all)
	}
	p.After = func() (verdict.Verdict, string) { return verdict.Pass, "" }
	if all := answers(t, p, Request{Strategy: "random", Seeds: 1, Executions: 1000}); all[0].Verdict != verdict.WrongResult {
		t.Errorf("the verdict of the engine is lost: %+v", all)
	}
}

func TestRunRefuses(t *testing.T) {
	for _, r := range []Request{{Strategy: "random"}, {Strategy: "randm", Seeds: 1, Executions: 1}} {
		if err := run(Program{}, r, func(Answer) error { return nil }); err == nil {
			t.Errorf("%+v is accepted", r)
		}
	}
}

// A fake records the errors of a test.
type fake struct{ errors []string }

func (*fake) Helper() {}
func (f *fake) Errorf(format string, a ...any) {
	f.errors = append(f.errors, fmt.Sprintf(format, a...))
}
func (f *fake) Fatal(a ...any) { f.errors = append(f.errors, fmt.Sprint(a...)) }
func program(body func(e *control.Engine)) func(string) (Program, error) {
	return func(string) (Program, error) { return Program{Body: body}, nil }
}

// Catches: a negative control that cannot fail.
func TestTheOriginalMustPass(t *testing.T) {
	programs := Programs{"sound": program(func(*control.Engine) {}), "unsound": program(lostUpdate)}
	var sound, unsound, requested fake
	var out strings.Builder
	programs.Test(&sound, &Request{}, &out, "sound")
	programs.Test(&unsound, &Request{}, &out, "unsound")
	if len(sound.errors) > 0 || len(unsound.errors) == 0 || out.Len() > 0 {
		t.Errorf("%q, %q, %q", sound.errors, unsound.errors, out.String())
	}
	programs.Test(&requested, &Request{Program: "unsound", Strategy: "random", Seeds: 3, Executions: 1000}, &out)
	if got, err := Read(strings.NewReader(out.String())); err != nil || len(got) != 3 || len(requested.errors) > 0 {
		t.Errorf("%+v, %v, %q", got, err, requested.errors)
	}
}
