package mutants

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress/mutants/kill"
)

// series are answers of one strategy: an execution that ended with that
// verdict, or, negative, so many that passed.
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

// tried is the outcome of a trial of two strategies.
func tried(m *mutant, expect verdict.Verdict, published int, random, pos []kill.Answer) outcome {
	o := outcome{mutant: m, trial: trial{Package: "sleep", Program: "protocol", Expect: expect}, Verdict: verdict.Pass}
	if published > 0 {
		o.Published = []figure{{"pct(3)", published * 2}, {"pos", published}}
	}
	m.trials = append(m.trials, o.trial)
	o.add("random", random)
	o.add("pos", pos)
	return o
}

func TestMedians(t *testing.T) {
	o := tried(new(mutant), verdict.LostWakeup, 10, series(verdict.LostWakeup, 7, -1000, 30, -1000), series(verdict.LostWakeup, -1000, 45, 9, 80, 21))
	random, pos := o.Medians[0], o.Medians[1]
	if random != (median{Strategy: "random", Executions: 1000, Capped: true, Series: 4, Kills: 2}) || random.String() != ">1000" {
		t.Errorf("random: %+v, %s", random, random)
	}
	if pos != (median{Strategy: "pos", Executions: 45, Series: 5, Kills: 4}) || pos.String() != "45" {
		t.Errorf("pos: %+v, %s", pos, pos)
	}
	if best, ok := o.best(); !ok || best != (figure{"pos", 45}) {
		t.Errorf("best: %+v, %v", best, ok)
	}
	if r, ok := o.ratio(); !ok || r != 4.5 {
		t.Errorf("ratio: %v, %v", r, ok)
	}
	if o.Verdict != verdict.LostWakeup || o.Summary != "it sleeps" || !o.asExpected() {
		t.Errorf("%s: %s", o.Verdict, o.Summary)
	}
	none := tried(new(mutant), verdict.Pass, 0, series(verdict.Pass, -5), series(verdict.Pass, -5))
	if _, ok := none.best(); ok || !none.asExpected() {
		t.Errorf("a survivor has a best strategy, or is not expected: %+v", none)
	}
	if m := (median{Complete: true, Capped: true}); m.String() != "all" {
		t.Errorf("a search that came to its end: %s", m)
	}
	if m := (median{Complete: true, Bounded: "at most 2 preemptions", Capped: true}); m.String() != "bounded" {
		t.Errorf("a search that left something out: %s", m)
	}
}

// Catches: a verdict that is not the expected one and hides behind those that are.
func TestAnotherVerdictIsNotAsExpected(t *testing.T) {
	o := tried(new(mutant), verdict.LostWakeup, 0, series(verdict.LostWakeup, 1), series(verdict.Timeout, 1))
	if o.Verdict != verdict.Timeout || o.asExpected() {
		t.Errorf("%s", o.Verdict)
	}
}

func TestScore(t *testing.T) {
	killed, survives, equivalent, control := &mutant{name: "killed"}, &mutant{name: "survives"}, &mutant{name: "equivalent"}, &mutant{name: control}
	quick := tried(killed, verdict.LostWakeup, 1, series(verdict.LostWakeup, 4), series(verdict.LostWakeup, 9))
	slow := tried(killed, verdict.LostWakeup, 1, series(verdict.LostWakeup, 5), series(verdict.LostWakeup, 9))
	skipped := outcome{mutant: killed, trial: trial{Expect: verdict.Deadlock, Published: []figure{{"pos", 1}}}, Verdict: verdict.Pass}
	var s score
	s.add([]outcome{quick, slow, skipped})
	s.add([]outcome{tried(equivalent, verdict.Pass, 0, series(verdict.Pass, -5), series(verdict.Pass, -5))})
	s.add([]outcome{tried(control, verdict.Pass, 0, series(verdict.Pass, -5), series(verdict.Pass, -5))})
	if want := "mutation score: 1 of 1 killed; 1 more are not detected, as expected\nbest median at most 4 times the best published: 1 of 2"; s.String() != want || !s.asExpected() {
		t.Errorf("got  %s\nwant %s", s.String(), want)
	}
	s.add([]outcome{tried(survives, verdict.LostWakeup, 0, series(verdict.Pass, -5), series(verdict.Pass, -5))})
	if got := s.String(); s.asExpected() || !strings.Contains(got, "1 of 2 killed; not killed: survives; ") ||
		!strings.HasSuffix(got, "\nnot as expected: survives, sleep protocol: pass, want lost-wakeup") {
		t.Errorf("%s", got)
	}
	var detected score
	detected.add([]outcome{tried(control, verdict.Pass, 0, series(verdict.LostWakeup, 5), series(verdict.Pass, -5))})
	if detected.asExpected() {
		t.Errorf("the control is detected, as expected: %s", detected.String())
	}
}

func TestReports(t *testing.T) {
	m := &mutant{name: "half-observed", about: "It observes half."}
	o := tried(m, verdict.LostWakeup, 10, series(verdict.LostWakeup, -1000), series(verdict.LostWakeup, 45))
	var text, lines strings.Builder
	table := table{out: &text}
	var s score
	s.add([]outcome{o})
	skipped := outcome{mutant: m, trial: m.trials[0], Verdict: verdict.Pass}
	if err := errors.Join(table.head(), table.row(o), table.row(skipped), table.end(s),
		writeTrial(&lines, o), writeTrial(&lines, skipped), writeScore(&lines, s)); err != nil {
		t.Fatal(err)
	}
	want := `MUTANT, and each program that runs on it
                                           VERDICT           KILLED BY    random   pct(3)   pct(5)      pos      dfs  PUBLISHED RATIO
half-observed: It observes half.
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
	all := strings.Split(lines.String(), "\n")
	if len(all) != 4 || !strings.Contains(all[1], `"verdict":"skipped","as_expected":true}`) {
		t.Fatal(lines.String())
	}
	if err := errors.Join(json.Unmarshal([]byte(all[0]), &trial), json.Unmarshal([]byte(all[2]), &end)); err != nil {
		t.Fatalf("%v in %s", err, lines.String())
	}
	if trial.Kind != "trial" || trial.Mutant != "half-observed" || trial.Verdict != "lost-wakeup" || len(trial.Medians) != 2 ||
		end.Kind != "mutation-score" || end.Killed != 1 || end.Mutants != 1 {
		t.Errorf("%+v, %+v in %s", trial, end, lines.String())
	}
}
