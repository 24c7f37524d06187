package mutants

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress/mutants/kill"
)

// series are answers of one strategy: an execution that was convicted with that
// verdict, or, negative, so many without.
func series(v verdict.Verdict, executions ...int) (answers []kill.Answer) {
	for i, n := range executions {
		if a := (kill.Answer{Seed: i, Executions: n, Verdict: v, Summary: "it sleeps"}); n > 0 {
			answers = append(answers, a)
		} else {
			answers = append(answers, kill.Answer{Seed: i, Executions: -n, Verdict: verdict.Pass})
		}
	}
	return answers
}

// outcome is that of a trial of two strategies.
func outcome(m *Mutant, expect verdict.Verdict, published int, random, pos []kill.Answer) Outcome {
	o := Outcome{Mutant: m, Trial: &Trial{Package: "sleep", Program: "protocol", Expect: expect}, Verdict: verdict.Pass}
	if published > 0 {
		o.Trial.Published = []Figure{{"pct(3)", published * 2}, {"pos", published}}
	}
	m.Trials = append(m.Trials, *o.Trial)
	o.add("random", random)
	o.add("pos", pos)
	return o
}

func TestMedians(t *testing.T) {
	o := outcome(new(Mutant), verdict.LostWakeup, 10, series(verdict.LostWakeup, 7, -1000, 30, -1000), series(verdict.LostWakeup, -1000, 45, 9, 80, 21))
	random, pos := o.Medians[0], o.Medians[1]
	if random != (Median{Strategy: "random", Executions: 1000, Capped: true, Series: 4, Kills: 2}) || random.String() != ">1000" {
		t.Errorf("random: %+v, %s", random, random)
	}
	if pos != (Median{Strategy: "pos", Executions: 45, Series: 5, Kills: 4}) || pos.String() != "45" {
		t.Errorf("pos: %+v, %s", pos, pos)
	}
	if best, ok := o.Best(); !ok || best != (Figure{"pos", 45}) {
		t.Errorf("best: %+v, %v", best, ok)
	}
	if r, ok := o.Ratio(); !ok || r != 4.5 {
		t.Errorf("ratio: %v, %v", r, ok)
	}
	if o.Verdict != verdict.LostWakeup || o.Summary != "it sleeps" || !o.AsExpected() {
		t.Errorf("%s: %s", o.Verdict, o.Summary)
	}
	none := outcome(new(Mutant), verdict.Pass, 0, series(verdict.Pass, -5), series(verdict.Pass, -5))
	if _, ok := none.Best(); ok || !none.AsExpected() {
		t.Errorf("a survivor has a best strategy, or is not expected: %+v", none)
	}
	if m := (Median{Complete: true, Capped: true}); m.String() != "all" {
		t.Errorf("a search that came to its end: %s", m)
	}
	if m := (Median{Complete: true, Bounded: "at most 2 preemptions", Capped: true}); m.String() != "bounded" {
		t.Errorf("a search that left something out: %s", m)
	}
}

// Catches: a verdict that is not the expected one and hides behind those that are.
func TestAnotherVerdictIsNotAsExpected(t *testing.T) {
	o := outcome(new(Mutant), verdict.LostWakeup, 0, series(verdict.LostWakeup, 1), series(verdict.Timeout, 1))
	if o.Verdict != verdict.Timeout || o.AsExpected() {
		t.Errorf("%s", o.Verdict)
	}
}

func TestScore(t *testing.T) {
	killed, survives, equivalent, control := &Mutant{Name: "killed"}, &Mutant{Name: "survives"}, &Mutant{Name: "equivalent"}, &Mutant{Name: Control}
	quick := outcome(killed, verdict.LostWakeup, 1, series(verdict.LostWakeup, 4), series(verdict.LostWakeup, 9))
	slow := outcome(killed, verdict.LostWakeup, 1, series(verdict.LostWakeup, 5), series(verdict.LostWakeup, 9))
	skipped := Outcome{Mutant: killed, Trial: &Trial{Expect: verdict.Deadlock, Published: []Figure{{"pos", 1}}}, Verdict: verdict.Pass}
	var s Score
	s.add([]Outcome{quick, slow, skipped})
	s.add([]Outcome{outcome(equivalent, verdict.Pass, 0, series(verdict.Pass, -5), series(verdict.Pass, -5))})
	s.add([]Outcome{outcome(control, verdict.Pass, 0, series(verdict.Pass, -5), series(verdict.Pass, -5))})
	if want := "mutation score: 1 of 1 killed; nothing convicts 1 more, as expected\nbest median at most 4 times the best published: 1 of 2"; s.String() != want || !s.AsExpected() {
		t.Errorf("got  %s\nwant %s", s.String(), want)
	}
	s.add([]Outcome{outcome(survives, verdict.LostWakeup, 0, series(verdict.Pass, -5), series(verdict.Pass, -5))})
	if got := s.String(); s.AsExpected() || !strings.Contains(got, "1 of 2 killed; not killed: survives; ") ||
		!strings.HasSuffix(got, "\nnot as expected: survives, sleep protocol: pass, want lost-wakeup") {
		t.Errorf("%s", got)
	}
	var convicted Score
	convicted.add([]Outcome{outcome(control, verdict.Pass, 0, series(verdict.LostWakeup, 5), series(verdict.Pass, -5))})
	if convicted.AsExpected() {
		t.Errorf("the control is convicted, as expected: %s", convicted.String())
	}
}

func TestReports(t *testing.T) {
	m := &Mutant{Name: "half-deaf", About: "It hears half."}
	o := outcome(m, verdict.LostWakeup, 10, series(verdict.LostWakeup, -1000), series(verdict.LostWakeup, 45))
	var text, lines strings.Builder
	table, report := Table{Out: &text}, JSONLines{Out: &lines}
	table.Head()
	table.Row(o)
	table.Row(Outcome{Mutant: m, Trial: &m.Trials[0], Verdict: verdict.Pass})
	report.Trial(o)
	var s Score
	s.add([]Outcome{o})
	table.End(s)
	report.End(s)
	if table.Err != nil || report.Err != nil {
		t.Fatal(table.Err, report.Err)
	}
	want := `MUTANT, and the program that is tried on it
                                           VERDICT           KILLED BY    random   pct(3)   pct(5)      pos      dfs  PUBLISHED RATIO
half-deaf: It hears half.
  sleep protocol                           lost-wakeup       pos           >1000        -        -       45        -         10 4.5
  sleep protocol                           (takes long)                        -        -        -        -        -         10

mutation score: 1 of 1 killed
best median at most 4 times the best published: 0 of 1
`
	if text.String() != want {
		t.Errorf("got\n%swant\n%s", text.String(), want)
	}
	var trial struct {
		Kind, Mutant, Verdict string
		Medians               []struct{ Strategy string }
	}
	var end struct {
		Kind            string
		Killed, Mutants int
	}
	first, second, _ := strings.Cut(lines.String(), "\n")
	if err := errors.Join(json.Unmarshal([]byte(first), &trial), json.Unmarshal([]byte(second), &end)); err != nil {
		t.Fatalf("%v in %s", err, lines.String())
	}
	if trial.Kind != "trial" || trial.Mutant != "half-deaf" || trial.Verdict != "lost-wakeup" || len(trial.Medians) != 2 ||
		end.Kind != "mutation-score" || end.Killed != 1 || end.Mutants != 1 {
		t.Errorf("%+v, %+v in %s", trial, end, lines.String())
	}
}
