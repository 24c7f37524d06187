package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const hangFile = `version: 1
scenarios:
  - name: hangs
    about: Every notification of a job is dropped, and yet it is to pass.
    pool: {workers: [1, 2]}
    workload: inject
    plan: [{at: sleep/wake-notify, fault: drop}]
    expect: pass
  - name: next
    about: Nothing is done to it.
    pool: {workers: [2]}
    workload: join
    expect: pass
`

// TestHang: a hang leaves its sidecars, each in the format of its tools; the campaign continues,
// and ends with 1.
func TestHang(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "hang.yaml", hangFile)
	got := in(t, dir, chaosBinary, "run", "--file", "hang.yaml", "--executions", "20", "--out", "out", "--seed", "5", "--json", "report.jsonl")
	got.want(t, 1)
	for _, want := range []string{"\nFAIL  hangs ", "lost-wakeup, expected pass", "\nok    next ", "pass, 20 executions",
		"its sidecars: *.goroutines.txt, *.events.txt, *.trace (go tool trace)"} {
		if !strings.Contains(got.out, want) {
			t.Errorf("it does not say %q:\n%s", want, got.out)
		}
	}
	found, err := filepath.Glob(filepath.Join(dir, "out", "hangs-*"))
	if err != nil || len(found) != 5 {
		t.Fatalf("%v, %q", err, found)
	}
	text := map[string]string{}
	for _, name := range found {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		_, ending, _ := strings.Cut(filepath.Base(name), ".")
		text[ending] = string(data)
	}
	for ending, want := range map[string][]string{
		"rouse":          {"rouse recording 2\nkind: native\n", "\nverdict: lost-wakeup\n", "\nend sha256 "},
		"control.rouse":  {"rouse recording 2\nkind: controlled\n", "\nverdict: lost-wakeup\n"},
		"goroutines.txt": {"goroutine ", "[sync.Cond.Wait", "sleep.(*parker).block"},
		"events.txt":     {"worker 0", "sleep/wake-notify #0  drop"},
		"trace":          {"go 1."},
	} {
		for _, w := range want {
			if !strings.Contains(text[ending], w) {
				t.Errorf("%s does not say %q", ending, w)
			}
		}
	}
	for _, name := range found {
		if filepath.Ext(name) != ".trace" {
			continue
		}
		out, err := exec.Command("go", "tool", "trace", "-d=parsed", name).CombinedOutput()
		if err != nil {
			t.Fatalf("go tool trace: %v\n%.1000s", err, out)
		}
		for _, want := range []string{"pool.(*Worker).main", "sleep.(*parker).block"} { // it holds what led to the hang
			if !strings.Contains(string(out), want) {
				t.Errorf("the trace does not show %s", want)
			}
		}
	}
	report, _ := os.ReadFile(filepath.Join(dir, "report.jsonl"))
	if !strings.Contains(string(report), `.trace"]`) {
		t.Errorf("the report does not name the trace:\n%s", report)
	}
}
