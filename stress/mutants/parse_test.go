package mutants

import (
	"bytes"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress/scenario"
)

const whole = `# What it is for.
about: It observes half.

program: sleep protocol meet=2
expect: lost-wakeup
published: random 51824, pct(3) 1804, dfs(3) 465271
executions: 300
long: dfs(3), random

program: pool posts
expect: pass
note: Nothing observes it.
strategies: pos, dfs(2)

--- a/sleep/jec.go
+++ b/sleep/jec.go
@@ -1,2 +1,2 @@ func f() {
 	a
-	b
+	c
@@ -11 +11,2 @@
 	d
+	e
--- a/pool/pool.go
+++ b/pool/pool.go
@@ -7 +7,2 @@
+	d
 	e
`

const wholeFile = "stress/mutants/half-observed.diff"

func TestParse(t *testing.T) {
	got, err := parse(wholeFile, []byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	if dos, err := parse(wholeFile, []byte(strings.ReplaceAll(whole, "\n", "\r\n"))); err != nil || !reflect.DeepEqual(dos, got) {
		t.Errorf("with other line ends: %+v, %v", dos, err)
	}
	git := strings.Replace(whole, "--- a/pool", "diff --git a/pool/pool.go b/pool/pool.go\nindex 0123456..789abcd 100644\n--- a/pool", 1)
	if m, err := parse(wholeFile, []byte(git)); err != nil || len(m.hunks) != 3 || m.hunks[2].file != "pool/pool.go" || m.hunks[2].line != 28 {
		t.Errorf("as git diff writes it: %+v, %v", m, err)
	}
	var hunks []string
	for _, h := range got.hunks {
		hunks = append(hunks, h.file+"\n"+h.String())
	}
	if want := []string{
		"sleep/jec.go\n@@ -1,2 +1,2 @@ func f() {\n \ta\n-\tb\n+\tc\n",
		"sleep/jec.go\n@@ -11,1 +11,2 @@\n \td\n+\te\n",
		"pool/pool.go\n@@ -7,1 +7,2 @@\n+\td\n \te\n",
	}; !slices.Equal(hunks, want) || got.hunks[0].line != 17 || got.hunks[1].line != 21 || got.hunks[2].line != 26 {
		t.Errorf("got  %q\nwant %q", hunks, want)
	}
	got.hunks = nil
	if want := (mutant{
		name: "half-observed", about: "It observes half.", file: wholeFile,
		trials: []trial{
			{
				Package: "sleep", Program: "protocol meet=2", Expect: verdict.LostWakeup, executions: 300,
				Published: []figure{{"random", 51824}, {"pct(3)", 1804}, {"dfs(3)", 465271}}, long: []string{"dfs(3)", "random"},
			},
			{Package: "pool", Program: "posts", Expect: verdict.Pass, Note: "Nothing observes it.", executions: 10_000, by: []string{"pos", "dfs(2)"}},
		},
	}); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if !got.detectable() {
		t.Error("a trial is expected to detect it, and it is not detectable")
	}
	if s := got.trials[0].strategies(false); !slices.Equal(s, []string{"pct(3)", "pct(5)", "pos"}) {
		t.Errorf("without long: %q", s)
	}
	if s := got.trials[1].strategies(true); !slices.Equal(s, []string{"pos", "dfs(2)"}) {
		t.Errorf("those that are named: %q", s)
	}
	if s := got.trials[0].strategies(true); !slices.Equal(s, []string{"random", "pct(3)", "pct(5)", "pos", "dfs(3)"}) {
		t.Errorf("in all: %q", s)
	}
}

// Every error says where it is, what was found and what would be right.
func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"about:", "abuot:", `:2:1: unknown key "abuot"; did you mean "about"?`},
		{"about: It observes half.", "It observes half.", `:2:1: unknown key "It observes half."; want one of about, program, expect, note, published, executions, strategies, long`},
		{"about: It observes half.", "about:", `:2:1: about: found nothing, want a value`},
		{"about: It observes half.", "about: x\nabout: y", `:3:1: duplicate key "about"`},
		{"program: sleep protocol meet=2", "program: sleeep protocol", `:4:1: program: found "sleeep protocol", want one of the packages sleep, pool, and a program`},
		{"program: sleep protocol meet=2", "program: sleep", `:4:1: program: found "sleep", want one of the packages sleep, pool, and a program`},
		{"program: sleep protocol meet=2\n", "", `:4:1: found expect before the first program, want it after`},
		{"program: pool posts", "about: y\nprogram: pool posts", `:10:1: found about after a program, want it first`},
		{"expect: lost-wakeup", "expect: lost-wakup", `:5:1: expect: found "lost-wakup", want one of the verdicts [pass `},
		{"random 51824", "randm 51824", `:6:1: published: no such strategy: "randm"`},
		{"random 51824", "random", `:6:1: published: found "", want a number of executions, 1 or more`},
		{"executions: 300", "executions: 0", `:7:1: executions: found "0", want a number of executions, 1 or more`},
		{"executions: 300", "executions: 300\nexecutions: 300", `:8:1: duplicate key "executions"`},
		{"dfs(3), random", "dfs(x)", `:8:1: long: no such strategy: "dfs(x)"`},
		{"@@ -1,2 +1,2 @@", "@@ -1,1 +1,1 @@", `: line 19: fragment contains no changes`},
		{"@@ -1,2 +1,2 @@", "@@ -1,3 +1,3 @@", `: line 21: invalid line operation: '@'`},
		{"@@ -11 +11,2 @@", "@@ eleven @@", `:21:1: found a line that is part of no hunk: "@@ eleven @@"`},
		{"+\te\n", "+\te\n+\tf\n", `:24:1: found a line that is part of no hunk: "+\tf"`},
		{"+\td\n \te\n", "+\td\n \te\nthe end\n", `:29:1: found a line that is part of no hunk: "the end"`},
	} {
		if !strings.Contains(whole, c.old) {
			t.Fatalf("%q does not occur", c.old)
		}
		m, err := parse(wholeFile, []byte(strings.Replace(whole, c.old, c.new, 1)))
		var input *scenario.InputError
		if !errors.As(err, &input) || !strings.HasPrefix(err.Error(), wholeFile+c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q for %q:\ngot  %v\nwant %s", c.new, c.old, err, wholeFile+c.want)
		}
		if !reflect.DeepEqual(m, mutant{}) {
			t.Errorf("%q for %q: it returns half a mutant", c.new, c.old)
		}
	}
}

// Catches: an error that is not at a line of the file, a mutant without what its header says, and hunks that are not where
// they say.
func FuzzParse(f *testing.F) {
	f.Add([]byte(whole))
	f.Add([]byte(strings.ReplaceAll(whole, "\n", "\r\n")))
	f.Add([]byte(strings.TrimSuffix(whole, "\te\n")))
	f.Add([]byte(strings.TrimSuffix(whole, "\n")))
	f.Add([]byte("about: x\nprogram: sleep y\nexecutions: 0\n"))
	f.Add([]byte("program: sleep x\npublished: pct(3) 1, ,\n"))
	f.Add([]byte("--- a/x\n+++ b/x\n@@ -1,9 +1 @@\n-a\n"))
	f.Add([]byte("GIT binary patch\nliteral 0\n"))
	f.Add([]byte(": \n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := parse(wholeFile, data)
		lines := bytes.Count(data, []byte("\n")) + 1
		if err != nil {
			var bad *scenario.InputError
			if !errors.As(err, &bad) || bad.Line < 0 || bad.Line > lines || bad.Column != min(bad.Line, 1) {
				t.Fatalf("%q: %T %v", data, err, err)
			}
			return
		}
		for _, x := range m.trials {
			if x.Program == "" || x.executions < 1 || m.about != strings.TrimSpace(m.about) {
				t.Fatalf("%q: %+v", data, x)
			}
		}
		all := strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n")
		for i, h := range m.hunks {
			if h.line < 1 || h.line > len(all) || !strings.HasPrefix(all[h.line-1], "@@ -") || i > 0 && h.line <= m.hunks[i-1].line {
				t.Fatalf("%q: hunk %d is at line %d", data, i, h.line)
			}
		}
	})
}
