package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOutputsAreNotInputs: what a command reads it does not write, and no two reports go into one
// file, under whatever names. Nothing runs, and what is on the disk stays.
func TestOutputsAreNotInputs(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "in.yaml", scenarioFile)
	for _, i := range []string{"0", "1"} {
		in(t, dir, chaosBinary, "run", "--file", "in.yaml", "--executions", "4", "--seed", "5", "--shard", i+"/2", "--json", "s"+i, "--out", "d"+i, "passes").want(t, 0)
	}
	for _, err := range []error{
		os.Link(filepath.Join(dir, "in.yaml"), filepath.Join(dir, "hard.md")), os.Symlink("in.yaml", filepath.Join(dir, "soft.html")),
		os.Symlink("d0", filepath.Join(dir, "folder")), os.Symlink("s0", filepath.Join(dir, "shard")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	write(t, dir, "summary", "old")
	contents := func() (all string) {
		for _, name := range []string{"in.yaml", "s0", "s1", "d0/journal.jsonl", "d1/journal.jsonl", "summary"} {
			all += readFile(t, filepath.Join(dir, name))
		}
		return all + strings.Join(tree(t, dir), "\n")
	}
	before := contents()
	const run = "run --file in.yaml --executions 1 passes "
	for line, want := range map[string]string{
		run + "--json in.yaml":                                   "--json in.yaml: --file in.yaml is the same file, which is read: want another",
		run + "--junit ./d0/../in.yaml":                          "--junit ./d0/../in.yaml: --file in.yaml is the same file, which is read: want another",
		run + "--report hard.md":                                 "--report hard.md: --file in.yaml is the same file, which is read: want another",
		run + "--report soft.html":                               "--report soft.html: --file in.yaml is the same file, which is read: want another",
		run + "--out d0 --json d0/journal.jsonl":                 "--json d0/journal.jsonl: the journal d0/journal.jsonl writes the same file, want another",
		run + "--out new --json d0/x --junit folder/x":           "--junit folder/x: --json d0/x writes the same file, want another",
		run + "--out d0 --json folder/journal.jsonl":             "--json folder/journal.jsonl: the journal d0/journal.jsonl writes the same file, want another",
		run + "--out folder --json d0/x.rouse":                   "--json d0/x.rouse: recordings are written there under such names: want another ending, or another folder",
		run + "--out folder --json d0/x.trace":                   "--json d0/x.trace: recordings are written there under such names: want another ending, or another folder",
		run + "--annotate github --json summary":                 "$GITHUB_STEP_SUMMARY: --json summary writes the same file, want another",
		run + "--out d0 --annotate github --file summary":        "", // no scenarios
		"merge s0 s1 --json s0":                                  "--json s0: s0 is the same file, which is read: want another",
		"merge s0 s1 --junit shard":                              "--junit shard: s0 is the same file, which is read: want another",
		"merge d0 d1 --json d1/journal.jsonl":                    "--json d1/journal.jsonl: d1 is the same file, which is read: want another",
		"merge s0 s1 --json m --report m.md --report d0/../m.md": "--report d0/../m.md: --report m.md writes the same file, want another",
	} {
		t.Setenv("GITHUB_STEP_SUMMARY", "summary")
		got := in(t, dir, chaosBinary, strings.Fields(line)...)
		got.want(t, 2)
		if got.out != "" || want != "" && got.errs != "stress: "+want+"\n" {
			t.Errorf("%s: %s%s, want %s", line, got.out, got.errs, want)
		}
		if after := contents(); after != before {
			t.Fatalf("%s: left\n%s\nit was\n%s", line, after, before)
		}
	}
}

// TestShrinkReplacesNothing: neither its input nor another file.
func TestShrinkReplacesNothing(t *testing.T) {
	dir := t.TempDir()
	path, text := controlledRecording(t, dir)
	write(t, dir, "mine", "old")
	if err := os.Symlink("nowhere", filepath.Join(dir, "dangling")); err != nil {
		t.Fatal(err)
	}
	for _, out := range []string{path, "mine", "dangling", "."} {
		got := in(t, dir, chaosBinary, "shrink", path, "--out", out)
		got.want(t, 2)
		if want := "stress: --out " + out + ": it is there already, and would be replaced: want another name, or delete it\n"; got.errs != want || got.out != "" {
			t.Errorf("--out %s: %s%s", out, got.out, got.errs)
		}
	}
	if readFile(t, path) != text || readFile(t, filepath.Join(dir, "mine")) != "old" {
		t.Error("a file was replaced")
	}
	short := strings.TrimSuffix(path, ".rouse") + ".min.rouse"
	write(t, filepath.Dir(short), filepath.Base(short), "old")
	in(t, dir, chaosBinary, "shrink", path).want(t, 0)
	second := strings.TrimSuffix(short, ".rouse") + "-2.rouse"
	if readFile(t, short) != "old" || !strings.HasPrefix(readFile(t, second), "rouse recording ") {
		t.Error("the first name that is free was not taken")
	}
}
