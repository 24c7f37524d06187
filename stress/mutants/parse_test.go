package mutants

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress"
)

const whole = `# What it is for.
mutant: half-deaf
about: It hears half.

edit: sleep/jec.go
 	a
-	b
+	c
edit: pool/pool.go
+	d
 	e

trial: sleep protocol meet=2
expect: lost-wakeup
published: random 51824, pct(3) 1804, dfs(3) 465271
executions: 300
long: dfs(3), random

trial: pool posts
expect: pass
note: Nobody hears it.
strategies: pos, dfs(2)
`

const wholeFile = "stress/mutants/half-deaf.mutant"

func TestParse(t *testing.T) {
	got, err := Parse(wholeFile, []byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	want := Mutant{
		Name: "half-deaf", About: "It hears half.", file: wholeFile,
		Edits: []Edit{
			{File: "sleep/jec.go", From: "\ta\n\tb\n", To: "\ta\n\tc\n", line: 5},
			{File: "pool/pool.go", From: "\te\n", To: "\td\n\te\n", line: 9},
		},
		Trials: []Trial{
			{
				Package: "sleep", Program: "protocol meet=2", Expect: verdict.LostWakeup, Executions: 300,
				Published: []Figure{{"random", 51824}, {"pct(3)", 1804}, {"dfs(3)", 465271}}, Long: []string{"dfs(3)", "random"},
			},
			{Package: "pool", Program: "posts", Expect: verdict.Pass, Note: "Nobody hears it.", Executions: 10_000, By: []string{"pos", "dfs(2)"}},
		},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if dos, err := Parse(wholeFile, []byte(strings.ReplaceAll(whole, "\n", "\r\n"))); err != nil || !reflect.DeepEqual(dos, want) {
		t.Errorf("with other line ends: %+v, %v", dos, err)
	}
	if !got.ToBeKilled() {
		t.Error("a trial is to convict it, and it is not to be killed")
	}
	if s := got.Trials[0].Strategies(false); !reflect.DeepEqual(s, []string{"pct(3)", "pct(5)", "pos"}) {
		t.Errorf("every day %q", s)
	}
	if s := got.Trials[1].Strategies(true); !reflect.DeepEqual(s, []string{"pos", "dfs(2)"}) {
		t.Errorf("those that are named %q", s)
	}
	if s := got.Trials[0].Strategies(true); !reflect.DeepEqual(s, []string{"random", "pct(3)", "pct(5)", "pos", "dfs(3)"}) {
		t.Errorf("in all %q", s)
	}
}

// Every error says where it is, what was found and what would be right.
func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"about:", "abuot:", `:3:1: unknown key "abuot"; did you mean "about"?`},
		{"about: It hears half.", "It hears half.", `:3:1: unknown key "It hears half."; want one of mutant, about, edit, trial, expect, note, published, executions, strategies, long`},
		{"about: It hears half.", "about:", `:3:7: about: found nothing, want a value`},
		{"about: It hears half.", "about: x\nabout: y", `:4:1: duplicate key "about"`},
		{"about: It hears half.\n", "", `:1:1: want the keys mutant and about at the head`},
		{"mutant: half-deaf", "mutant: deaf", `:2:9: mutant: found "deaf", want "half-deaf": lower-case words joined by hyphens, as the file is called`},
		{"edit: sleep/jec.go", "edit: sleep/../go.mod", `:5:7: edit: found "sleep/../go.mod", want a file of sleep or pool that is no test, such as sleep/jec.go`},
		{"edit: sleep/jec.go", "edit: sleep/jec_test.go", `:5:7: edit: found "sleep/jec_test.go", want a file of sleep or pool that is no test, such as sleep/jec.go`},
		{"edit: sleep/jec.go", "edit: /etc/jec.go", `:5:7: edit: found "/etc/jec.go", want a file of sleep or pool that is no test, such as sleep/jec.go`},
		{" \ta\n-\tb\n+\tc\n", "+\tc\n", `:5:1: edit: found nothing to replace, want lines that begin with - or a space`},
		{" \ta\n-\tb\n+\tc\n", " \ta\n", `:5:1: edit: found nothing that changes, want lines that begin with - or +`},
		{"trial: sleep protocol meet=2", "trial: sleeep protocol", `:13:8: trial: found "sleeep protocol", want one of the packages sleep, pool, and a program`},
		{"trial: sleep protocol meet=2", "trial: sleep", `:13:8: trial: found "sleep", want one of the packages sleep, pool, and a program`},
		{"trial: sleep protocol meet=2\n", "", `:13:1: found expect before any trial, want it behind one`},
		{"trial: pool posts", "about: y\ntrial: pool posts", `:19:1: found about behind a trial, want it at the head`},
		{"trial: pool posts", "edit: sleep/jec.go\n-x\ntrial: pool posts", `:19:1: found an edit behind a trial, want all edits before`},
		{"expect: lost-wakeup", "expect: lost-wakup", `:14:9: unknown verdict "lost-wakup"; did you mean "lost-wakeup"?`},
		{"expect: lost-wakeup\n", "", `:13:1: a trial lacks the key "expect"`},
		{"expect: lost-wakeup", "expect: pass\nnote: x", `:13:1: a trial that expects pass has published figures, want none`},
		{"note: Nobody hears it.\n", "", `:19:1: a trial that expects pass lacks the key "note": why nobody can convict it`},
		{"random 51824", "randm 51824", `:15:12: no such strategy: "randm"`},
		{"random 51824", "random", `:15:12: published: found "", want a number of executions, 1 or more`},
		{"executions: 300", "executions: 0", `:16:13: executions: found "0", want a number of executions, 1 or more`},
		{"executions: 300", "executions: 300\nexecutions: 300", `:17:1: duplicate key "executions"`},
		{"dfs(3), random", "dfs(x)", `:17:7: no such strategy: "dfs(x)"`},
		{"It hears", "It \xff hears", `: found bytes that are no UTF-8, want text`},
		{whole[strings.Index(whole, "trial:"):], "", `: found no trial, want one or more`},
		{whole[strings.Index(whole, "edit:"):strings.Index(whole, "trial:")], "", `: found no edit, want one or more`},
	} {
		if !strings.Contains(whole, c.old) {
			t.Fatalf("%q does not occur", c.old)
		}
		m, err := Parse(wholeFile, []byte(strings.Replace(whole, c.old, c.new, 1)))
		var input *stress.InputError
		if !errors.As(err, &input) || !strings.HasPrefix(err.Error(), wholeFile+c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q for %q:\ngot  %v\nwant %s", c.new, c.old, err, wholeFile+c.want)
		}
		if !reflect.DeepEqual(m, Mutant{}) {
			t.Errorf("%q for %q: it returns half a mutant", c.new, c.old)
		}
	}
}

func TestTheControlHasNoDefect(t *testing.T) {
	control := "mutant: none\nabout: x\n"
	for text, want := range map[string]string{
		control + "edit: sleep/jec.go\n-a\ntrial: sleep x\nexpect: pass\nnote: x\n": "found an edit, want none: none is the control",
		control + "trial: sleep x\nexpect: invariant\n":                             "found a trial that convicts the control, want expect: pass",
	} {
		if _, err := Parse("none.mutant", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if _, err := Parse("none.mutant", []byte(control+"trial: sleep x\nexpect: pass\nnote: x\n")); err != nil {
		t.Error(err)
	}
}
