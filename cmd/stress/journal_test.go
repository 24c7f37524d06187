package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// longFile holds scenarios whose executions come to the same each time: one that runs
// truly parallel, and two under control, of which one fails.
const longFile = `version: 1
scenarios:
  - name: native
    about: Nothing much happens.
    pool: {workers: [1, 2]}
    workload: inject
    sizes: {jobs: 3, injectors: 1}
    expect: pass
  - name: explored
    about: Nothing much happens, under control.
    mode: control
    strategy: random
    pool: {workers: [1, 2]}
    workload: inject
    plan: [{at: pool/inject-pushed, fault: yield, probability: 0.5}]
    expect: pass
  - name: dropped-rarely
    about: A notification is dropped now and then, but pass is expected.
    mode: control
    strategy: random
    pool: {workers: [1], jec-bits: 1, rounds: 0} # the worker sleeps soon
    workload: inject
    plan: [{at: sleep/wake-notify, fault: drop, probability: 0.02}]
    expect: pass
`

// exploredFile holds controlled scenarios: one is explored to its end, one up to a bound, each as one batch;
// two run batch by batch.
const exploredFile = `version: 1
scenarios:
  - name: bounded
    about: All schedules of at most two preemptions.
    mode: control
    strategy: dfs(2)
    pool: {workers: [1], jec-bits: 1, rounds: 0, deque-capacity: 2}
    workload: inject
    sizes: {jobs: 1}
    expect: pass
  - name: reduced
    about: One schedule of each kind.
    mode: control
    strategy: dpor
    executions: 8000
    pool: {workers: [1], jec-bits: 1, rounds: 0, deque-capacity: 2}
    workload: inject
    sizes: {jobs: 1}
    expect: pass
  - name: by-priority
    about: Nothing much happens.
    mode: control
    strategy: pct
    executions: 3000
    pool: {workers: [1, 2]}
    workload: inject
    plan: [{at: pool/inject-pushed, fault: yield, probability: 0.5}]
    expect: pass
  - name: by-order
    about: Nothing much happens.
    mode: control
    strategy: pos
    executions: 3000
    pool: {workers: [1, 2]}
    workload: inject
    expect: pass
`

// outcomes are the lines of a report about scenarios, without what differs from
// one campaign to the next: times, paths and what native executions have passed by.
func outcomes(t *testing.T, path string) (all []map[string]any) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var v map[string]any
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatal(err)
		}
		switch v["kind"] {
		case "campaign":
			all = append(all, map[string]any{"seed": v["seed"]})
		case "scenario", "failure":
			for _, key := range []string{"seconds", "took_us", "recording", "shrunk", "sidecars", "points"} {
				delete(v, key)
			}
			all = append(all, v)
		case "end":
			all = append(all, map[string]any{"as_expected": v["as_expected"], "failed": v["failed"]})
		}
	}
	return all
}

// linesOf counts the lines of a file.
func linesOf(path string) int {
	text, _ := os.ReadFile(path)
	return bytes.Count(text, []byte("\n"))
}

// killAfter starts a campaign and kills it with -9 when its journal has grown by so many lines. It
// reports false if the campaign came to its end before.
func killAfter(t *testing.T, dir, journal string, more int, args []string) bool {
	t.Helper()
	cmd := exec.Command(chaosBinary, args...)
	cmd.Dir = dir
	before := linesOf(journal)
	ended := make(chan struct{})
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		cmd.Wait() //nolint:errcheck // it is killed
		close(ended)
	}()
wait:
	for linesOf(journal) < before+more {
		select {
		case <-ended:
			break wait
		default:
			time.Sleep(time.Millisecond)
		}
	}
	cmd.Process.Kill() //nolint:errcheck // it may have ended
	<-ended
	return !cmd.ProcessState.Exited()
}

// TestKilledAndResumed: a campaign that is killed over and over, wherever it is, has the same result
// as one that is not.
func TestKilledAndResumed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "long.yaml", longFile)
	args := []string{"run", "--file", "long.yaml", "--executions", "400"}
	in(t, dir, chaosBinary, append(args, "--seed", "3", "--out", "whole", "--json", "whole.jsonl")...).want(t, 1)
	want := outcomes(t, filepath.Join(dir, "whole.jsonl"))
	if !slices.ContainsFunc(want, func(v map[string]any) bool { return v["kind"] == "failure" && v["execution"].(float64) >= 128 }) {
		t.Errorf("nothing fails after the first batch: %v", want)
	}

	journal := filepath.Join(dir, "out", journalName)
	args = append(args, "--out", "out", "--json", "report.jsonl")
	kills := 0
	for i, more := range []int{1, 2, 150, 1, 400, 3, 200, 1, 1, 2, 1, 2} {
		again := append(args, "--resume")
		if i == 0 {
			again = append(again, "--seed", "3")
		}
		if killAfter(t, dir, journal, more, again) {
			kills++
		}
	}
	if kills < 5 {
		t.Errorf("it was killed only %d times", kills)
	}
	got := in(t, dir, chaosBinary, append(args, "--resume")...)
	got.want(t, 1)
	if !strings.Contains(got.out, "\nresumes after ") && !strings.Contains(got.out, "\nhad ended already") {
		t.Errorf("no line about the resumed campaign: %s", got.out)
	}
	if got := outcomes(t, filepath.Join(dir, "report.jsonl")); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	for line := range strings.Lines(got.out) {
		if command := replayCommand.FindStringSubmatch(line); command != nil {
			cmd := exec.Command("sh", "-c", command[1])
			cmd.Dir = dir
			finish(t, cmd).want(t, 1)
		}
	}

	// At its end it is reported again, and makes room for the next.
	in(t, dir, chaosBinary, append(args, "--resume")...).want(t, 1)
	if got := outcomes(t, filepath.Join(dir, "report.jsonl")); !reflect.DeepEqual(got, want) {
		t.Errorf("once more: got  %v\nwant %v", got, want)
	}
	in(t, dir, chaosBinary, append(args, "--seed", "4", "native")...).want(t, 0)
}

// TestExplorationKilledAndResumed: killed at any moment, over and over, an exploration comes
// to its end with the counts that it would have had. (What is run again: TestKilledWithinABatch in
// package stress.)
func TestExplorationKilledAndResumed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "explored.yaml", exploredFile)
	args := []string{"run", "--file", "explored.yaml", "--for", "1h", "--seed", "3", "--procs", "2"}
	in(t, dir, chaosBinary, append(args, "--out", "whole", "--json", "whole.jsonl")...).want(t, 0)
	want := outcomes(t, filepath.Join(dir, "whole.jsonl"))
	if !slices.ContainsFunc(want, func(v map[string]any) bool { return v["bounded"] == "at most 2 preemptions" }) {
		t.Fatalf("no exploration came to its end: %v", want)
	}
	args = append(args, "--resume", "--out", "out", "--json", "report.jsonl")
	journal, kills := filepath.Join(dir, "out", journalName), 0
	for _, more := range []int{3, 4, 6, 2, 9, 14, 25, 1, 40, 30, 20, 10} {
		if killAfter(t, dir, journal, more, args) {
			kills++
		}
	}
	in(t, dir, chaosBinary, args...).want(t, 0)
	got := outcomes(t, filepath.Join(dir, "report.jsonl"))
	for _, lines := range [][]map[string]any{got, want} { // the clock decides which scenario ends first
		slices.SortFunc(lines[1:len(lines)-1], func(a, b map[string]any) int { return cmp.Compare(a["index"].(float64), b["index"].(float64)) })
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	if kills < 5 {
		t.Errorf("it was killed only %d times", kills)
	}
}

// TestJournalRefused: a journal that cannot be resumed is refused, and stays as it is.
func TestJournalRefused(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "long.yaml", longFile)
	write(t, dir, "other.yaml", strings.Replace(longFile, "jobs: 3", "jobs: 4", 1))
	in(t, dir, chaosBinary, strings.Fields("run --file long.yaml --executions 2 --seed 3 --out out native explored")...).want(t, 0)
	path := filepath.Join(dir, "out", journalName)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	last := bytes.LastIndexByte(text[:len(text)-1], '\n') + 1
	write(t, filepath.Dir(path), journalName, string(text[:last+9])) // the line "end" is torn
	write(t, dir, journalName, strings.Replace(string(text), "elapsed", "elapsde", 1))
	before := tree(t, dir)
	name := filepath.Join("out", journalName)
	for args, want := range map[string]string{
		"--out out native explored":                            name + ": its campaign has not ended, 2 of 2 scenarios done: want --resume to continue it, or another --out; delete the file to abandon it",
		"--out out --resume native":                            "--resume: " + name + ": its campaign has 2 scenarios, and this one 1: want the same",
		"--out out --resume explored native":                   "--resume: " + name + ": its campaign has the scenario native where this one has explored: want the same, in the same order",
		"--out out --resume --file other.yaml native explored": "--resume: " + name + ": the scenario native is not what it was: want the same file",
		"--out out --resume --seed 4 native explored":          "--resume: " + name + ": its campaign has the seed 0x3, not 0x4: want the same, or leave --seed out",
		"--out out --resume --executions 3 native explored":    "--resume: " + name + ": its campaign has --executions 2: want the same, or leave --executions out",
		"--out out --resume --for 1h native explored":          "--resume: " + name + ": its campaign has --executions 2: want the same, or leave --for out",
		"--out . native explored":                              journalName + ":1:1: damaged: the checksum is not that of the lines up to here: one was changed, left out or put elsewhere; delete it to begin anew",
		"--out . --resume native explored":                     journalName + ":1:1: damaged: the checksum is not that of the lines up to here: one was changed, left out or put elsewhere; delete it to begin anew",
	} {
		if !strings.Contains(args, "--file") {
			args += " --file long.yaml"
		}
		got := in(t, dir, chaosBinary, append([]string{"run"}, strings.Fields(args)...)...)
		got.want(t, 2)
		if got.errs != "stress: "+want+"\n" || got.out != "" {
			t.Errorf("%s: got  %s%swant %s", args, got.out, got.errs, want)
		}
	}
	if after := tree(t, dir); strings.Join(before, "\n") != strings.Join(after, "\n") {
		t.Errorf("the disk has changed from %q to %q", before, after)
	}
	got := in(t, dir, chaosBinary, strings.Fields("run --file long.yaml --out out --resume --seed 3 native explored")...)
	got.want(t, 0)
	if !strings.Contains(got.out, "2 scenarios done") {
		t.Errorf("got %s", got.out)
	}
}

// TestJournalOnFullDisk: the campaign ends where the disk is full, by exit code 3, and
// continues there when there is room again.
func TestJournalOnFullDisk(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // no shell, and no limit
	}
	dir := t.TempDir()
	write(t, dir, "long.yaml", longFile)
	path := filepath.Join(dir, "out", journalName)
	for blocks, resume := 2, ""; blocks <= 32; blocks, resume = 2*blocks, " --resume" {
		cmd := exec.Command("sh", "-c", "ulimit -f "+strconv.Itoa(blocks)+"; exec "+chaosBinary+
			" run --file long.yaml --executions 300 --seed 3 --out out native"+resume)
		cmd.Dir = dir
		got := finish(t, cmd)
		got.want(t, 3)
		if want := "stress: cannot write the journal: out/" + journalName + ": "; !strings.HasPrefix(got.errs, want) || strings.Count(got.errs, "\n") != 1 {
			t.Errorf("got %s, want %s", got.errs, want)
		}
		again := in(t, dir, chaosBinary, strings.Fields("run --file long.yaml --out out native")...)
		if again.want(t, 2); !strings.Contains(again.errs, ": its campaign has not ended, 0 of 1 scenarios done: ") {
			t.Fatalf("the journal cannot be read: %s", again.errs)
		}
		if text, err := os.ReadFile(path); err != nil || text[len(text)-1] != '\n' {
			t.Errorf("%v, a torn line is left: ...%s", err, text[max(len(text)-50, 0):])
		}
	}
	got := in(t, dir, chaosBinary, strings.Fields("run --file long.yaml --out out --resume native")...)
	got.want(t, 0)
	if !strings.Contains(got.out, "pass, 300 executions") {
		t.Errorf("got %s", got.out)
	}
}

// TestShardsMerged: each shard exits by its own results, and the merged report by all of them, like
// one campaign.
func TestShardsMerged(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "long.yaml", longFile)
	args := strings.Fields("run --file long.yaml --executions 400 --seed 3")
	in(t, dir, chaosBinary, append(args, "--json", "whole")...).want(t, 1)
	want := outcomes(t, filepath.Join(dir, "whole"))
	failed := 0
	for i := range 3 {
		n := strconv.Itoa(i)
		got := in(t, dir, chaosBinary, append(args, "--shard", n+"/3", "--out", "out"+n, "--json", "report"+n)...)
		if got.code == 1 {
			failed++
		} else {
			got.want(t, 0)
		}
		if !strings.Contains(got.out, ", shard "+n+"/3\n") || !strings.Contains(got.out, "shard "+n+"/3: 3 scenarios, ") {
			t.Errorf("it does not say which shard it is: %s", got.out)
		}
	}
	if failed == 0 {
		t.Error("nothing has failed in any shard")
	}
	for _, reports := range []string{"report0 report1 report2", "out2 report0 out1"} {
		got := in(t, dir, chaosBinary, append([]string{"merge", "--json", "merged"}, strings.Fields(reports)...)...)
		got.want(t, 1)
		if !strings.Contains(got.out, ", merged from 3 shards\n") {
			t.Errorf("got %s", got.out)
		}
		merged := outcomes(t, filepath.Join(dir, "merged"))
		for i, m := range merged {
			delete(want[i], "orders")                                     // two shards may have seen the same
			if m["kind"] == "scenario" && m["name"] == "dropped-rarely" { // each shard has looked for its own
				for _, key := range []string{"executions", "steps", "faults"} {
					delete(m, key)
					delete(want[i], key)
				}
			}
		}
		if !reflect.DeepEqual(merged, want) {
			t.Errorf("got  %v\nwant %v", merged, want)
		}
	}
	got := in(t, dir, chaosBinary, "merge", "report0", "report2")
	got.want(t, 2)
	if got.errs != "stress: report0: 1 shard of its campaign missing: 1/3\n" || got.out != "" {
		t.Errorf("got %s%s", got.out, got.errs)
	}
}
