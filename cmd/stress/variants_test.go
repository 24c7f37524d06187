package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// variantsFile has a control that only JEC and RFC 5 can have, and one that is about RFC 5.
const variantsFile = `version: 1
absent:
  - {variant: [tickle, tickle-swap], points: sleep/wake-notify, why: They know no sleeper by name.}
scenarios:
  - name: dropped
    about: Every notification of a job is dropped.
    pool: {workers: [1]}
    workload: inject
    sizes: {jobs: 30, injectors: 1, pause: 5ms} # the worker sleeps before one of them
    plan: [{at: sleep/wake-notify, fault: drop}]
    expect: lost-wakeup
    except: [{variant: jec-two-idle, expect: pass, why: A mistake.}]
  - name: lost
    about: A job from outside is lost.
    mode: control
    strategy: pct(3)
    pool: {workers: [1], variant: rfc5, rounds: 0}
    workload: inject
    expect: lost-wakeup
`

func TestListVariants(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "s.yaml", variantsFile)
	got := in(t, dir, chaosBinary, "list", "--file", "s.yaml")
	got.want(t, 0)
	const want = `dropped                              expects lost-wakeup    workload inject
    Every notification of a job is dropped.
    with jec-two-idle: expects pass. A mistake.
    with tickle, tickle-swap: expects pass. They know no sleeper by name.
lost                                 expects lost-wakeup    workload inject, under control by pct(3), with rfc5
    A job from outside is lost.
`
	if got.out != want {
		t.Errorf("got\n%swant\n%s", got.out, want)
	}
}

// TestRunWithVariants: each scenario runs with each variant, with what is expected of it
// then; one that names a variant runs once; and what is recorded reproduces with its variant.
func TestRunWithVariants(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "s.yaml", variantsFile)
	got := in(t, dir, chaosBinary, "run", "--file", "s.yaml", "--variant", "jec,tickle,jec-two-idle", "--executions", "40", "--seed", "1", "--search", "0", "--out", "out", "--keep-controls", "--json", "report")
	got.want(t, 1)
	for _, want := range []string{
		"\nok    dropped with jec  ", "\nok    dropped with tickle  ", "\n      They know no sleeper by name.\n",
		"\nFAIL  dropped with jec-two-idle  ", "lost-wakeup, expected pass, 1 execution", "\n      A mistake.\n",
		"\nok    lost with rfc5  ", "\n1 not as expected: 4 scenarios, ",
	} {
		if !strings.Contains(got.out, want) {
			t.Errorf("%q is missing in\n%s", want, got.out)
		}
	}
	var seen []string
	for line := range strings.Lines(readFile(t, filepath.Join(dir, "report"))) {
		var v struct{ Kind, Name, Variant, Verdict, Expect, Why string }
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatal(err)
		}
		if v.Kind == "scenario" {
			seen = append(seen, strings.Join([]string{v.Name, v.Variant, v.Verdict, v.Expect, v.Why}, "|"))
		}
	}
	slices.Sort(seen)
	want := []string{"dropped|jec-two-idle|lost-wakeup|pass|A mistake.", "dropped|jec|lost-wakeup|lost-wakeup|",
		"dropped|tickle|pass|pass|They know no sleeper by name.", "lost|rfc5|lost-wakeup|lost-wakeup|"}
	if !slices.Equal(seen, want) {
		t.Errorf("got %q\nwant %q", seen, want)
	}

	for pattern, want := range map[string]string{
		"dropped-jec-two-idle-0000000000000001-*.rouse": "scenario dropped with jec-two-idle, execution 0 of ",
		"lost-rfc5-0000000000000001-*.rouse":            "scenario lost with rfc5, execution ",
	} {
		files, err := filepath.Glob(filepath.Join(dir, "out", pattern))
		if err != nil || len(files) != 1 {
			t.Errorf("%s: %q, %v", pattern, files, err)
			continue
		}
		got := in(t, dir, chaosBinary, "replay", files[0], "--times", "3")
		got.want(t, 1)
		if !strings.HasPrefix(got.out, want) || strings.Contains(got.out, "\n0 of 3 tries") {
			t.Errorf("%s: got %s", pattern, got.out)
		}
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
