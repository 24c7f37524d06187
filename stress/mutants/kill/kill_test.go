package kill

import (
	"bytes"
	"flag"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/verdict"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestWords(t *testing.T) {
	workers, jobs, leaver, internal := 2, 2, false, false
	read := func(words string) error {
		return Words(words, map[string]*int{"workers": &workers, "jobs": &jobs}, map[string]*bool{"leaver": &leaver, "internal": &internal})
	}
	if err := read(" workers=3  leaver"); err != nil || workers != 3 || jobs != 2 || !leaver || internal {
		t.Errorf("%d workers, %d jobs, %v, %v, %v", workers, jobs, leaver, internal, err)
	}
	for words, want := range map[string]string{
		"worker=1":            `unknown word "worker"; did you mean "workers"?`,
		"zzz":                 `unknown word "zzz"; want one of internal, jobs, leaver, workers`,
		"workers":             `found "workers", want workers=N, a whole number from 0 to 2147483647`,
		"workers=-1":          `found "workers=-1", want workers=N, a whole number from 0 to 2147483647`,
		"workers=1 workers=1": `duplicate word workers`,
		"leaver=true":         `found "leaver=true", want "leaver"`,
	} {
		if err := read(words); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", words, err, want)
		}
	}
}

func TestFindNamesTheNearest(t *testing.T) {
	programs := Programs{"posts": func(words string) (Program, error) { return Program{}, Words(words, nil, nil) }}
	for program, want := range map[string]string{
		"post":    `unknown program "post"; did you mean "posts"?`,
		"posts x": `program posts: unknown word "x"; there are none`,
	} {
		if _, err := programs.Find(program); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if _, err := programs.Find("posts"); err != nil {
		t.Error(err)
	}
}

// A request survives the way through its flags.
func TestArguments(t *testing.T) {
	want := Request{Program: "protocol jec=1 leaver", Strategy: "pct(5)", Seeds: 3, Executions: 77}
	set := flag.NewFlagSet("", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	got := Flags(set)
	if err := set.Parse(want.Arguments()); err != nil || *got != want {
		t.Errorf("%+v, %v", *got, err)
	}
}

func TestAnswersAmongOtherLines(t *testing.T) {
	a := Answer{Schema: schema, Seed: 4, Executions: 235, Verdict: verdict.LostWakeup, Summary: "it sleeps\nfor good"}
	var out strings.Builder
	out.WriteString("=== RUN TestKill")
	for range 2 {
		if err := write(&out, a); err != nil {
			t.Fatal(err)
		}
	}
	out.WriteString("PASS\n")
	got, err := Read(strings.NewReader(out.String()))
	if err != nil || len(got) != 2 || got[0] != a || got[1] != a {
		t.Errorf("%+v, %v", got, err)
	}
	for text, want := range map[string]string{
		"PASS\n":         "kill: no answer",
		"{\"schema\":\n": "kill: found the line",
		"{\"schema\":7}": "kill: an answer of schema 7, want 1: the test was built from another version",
	} {
		if _, err := Read(strings.NewReader(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

// Catches: an answer that is lost between other lines, or read differently from how it is written.
func FuzzRead(f *testing.F) {
	var b bytes.Buffer
	for _, a := range []Answer{{Schema: schema, Seed: 1, Executions: 7, Verdict: "pass", Complete: true}, {Schema: schema, Verdict: "deadlock", Summary: "\x00\n<&>", Bounded: "x"}} {
		if err := write(&b, a); err != nil {
			f.Fatal(err)
		}
	}
	f.Add(b.Bytes())
	f.Add(append([]byte("=== RUN TestKill"), b.Bytes()...))
	f.Add([]byte("{}\n"))
	f.Add([]byte(`{"schema":2}`))
	f.Add([]byte("PASS\n"))
	f.Fuzz(func(t *testing.T, output []byte) {
		answers, err := Read(bytes.NewReader(output))
		if err != nil {
			if answers != nil {
				t.Fatalf("%q: %v, %v", output, answers, err)
			}
			return
		}
		var again bytes.Buffer
		for _, a := range answers {
			again.WriteString("--- PASS: TestKill")
			if err := write(&again, a); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := Read(&again); err != nil || !slices.Equal(got, answers) {
			t.Fatalf("%q has the answers %+v, and those are read as %+v: %v", output, answers, got, err)
		}
	})
}
