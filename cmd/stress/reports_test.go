package main

import (
	"encoding/xml"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestReports: all reports of one campaign, and of its shards merged.
func TestReports(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "scenarios.yaml", scenarioFile)
	write(t, dir, "u.xml", "old")
	where := []string{"--json", "j", "--junit", "u.xml", "--report", "r.md", "--report", "r.html", "--annotate", "github"}
	args := append([]string{"run", "--file", "scenarios.yaml", "--executions", "1", "fails", "passes"}, where...)
	cmd := exec.Command(chaosBinary, args...)
	summary := write(t, dir, "summary", "before\n")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GITHUB_STEP_SUMMARY="+summary)
	got := finish(t, cmd)
	got.want(t, 1)
	look := func(name string, want ...string) {
		t.Helper()
		text := readFile(t, filepath.Join(dir, name))
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%s has no %q:\n%s", name, w, text)
			}
		}
	}
	look("u.xml", `tests="2" failures="1"`, `<testcase name="fails" classname="stress.native"`, "rouse-out/fails-")
	look("r.md", "# Stress: 1 not as expected", "## FAIL: fails", "](<rouse-out/fails-", "| passes | native | pass |")
	look("r.html", "<h2 class=\"bad\">FAIL: fails</h2>", `<a href="rouse-out/fails-`, "Memory of the campaign&#39;s process")
	look("summary", "before\n# Stress: 1 not as expected", "Recorded in `rouse-out/fails-")
	if n := strings.Count(got.out, "::error file=scenarios.yaml,line="); n != 1 {
		t.Errorf("%d annotations in\n%s", n, got.out)
	}
	if left := tree(t, dir); strings.Contains(strings.Join(left, " "), ".tmp") {
		t.Errorf("left %q", left)
	}

	for _, i := range []string{"0", "1"} {
		got := in(t, dir, chaosBinary, "run", "--file", "scenarios.yaml", "--executions", "4", "--seed", "5", "--shard", i+"/2", "--json", "s"+i, "fails", "passes")
		if got.code > 1 {
			t.Fatalf("%+v", got)
		}
	}
	got = in(t, dir, chaosBinary, append([]string{"merge", "s0", "s1"}, where...)...)
	got.want(t, 1)
	look("r.html", "merged from", "there is nothing over time", "FAIL: fails")
	var suites struct {
		Tests int `xml:"tests,attr"`
	}
	if err := xml.Unmarshal([]byte(readFile(t, filepath.Join(dir, "u.xml"))), &suites); err != nil || suites.Tests != 2 {
		t.Errorf("%v, %d tests", err, suites.Tests)
	}
}

// TestReportsLeftAlone: a campaign that cannot begin, or whose reports cannot be opened, changes no file.
func TestReportsLeftAlone(t *testing.T) {
	for _, c := range []struct {
		flags string
		code  int
		want  string
	}{
		{"--json j --junit none/u.xml", 2, "stress: --junit none/u.xml: no such file or directory\n"},
		{"--json j --junit j", 2, "stress: --junit j: --json j writes the same file, want another\n"},
		{"--report r.md --report ./r.md", 2, "stress: --report ./r.md: --report r.md writes the same file, want another\n"},
		{"--json j --report r.pdf", 2, `stress: invalid argument "r.pdf" for "--report" flag: want a name that ends in .md or .html, or a folder, which ends in /` + "\n"},
		{"--json j --annotate gitlab", 2, `stress: invalid argument "gitlab" for "--annotate" flag: want github or none` + "\n"},
		{"--plain --quiet", 2, "stress: --plain and --quiet exclude each other, want one of them\n"},
		{"--report a/ --report b", 2, `stress: invalid argument "b" for "--report" flag: a/ is a folder already, want one` + "\n"},
		{"--report j/", 2, "stress: --report j: not a folder\n"},
		{"--report none/pages --junit none/pages/u.xml/", 2, "stress: --junit none/pages/u.xml/: no such file or directory\n"},
		{"--report pages --report pages/index.html", 2, "stress: --report pages/index.html: --report pages writes the same file, want another\n"},
	} {
		dir := t.TempDir()
		write(t, dir, "scenarios.yaml", scenarioFile)
		write(t, dir, "j", "old")
		got := in(t, dir, chaosBinary, append(strings.Fields("run --file scenarios.yaml --executions 1 passes"), strings.Fields(c.flags)...)...)
		got.want(t, c.code)
		if got.errs != c.want || got.out != "" || len(tree(t, dir)) != 3 || readFile(t, filepath.Join(dir, "j")) != "old" {
			t.Errorf("%s: got %s%s and %q, want %s", c.flags, got.out, got.errs, tree(t, dir), c.want)
		}
	}
}

// TestQuiet: no progress, and only JSON on standard output.
func TestQuiet(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "scenarios.yaml", scenarioFile)
	got := in(t, dir, chaosBinary, "run", "--file", "scenarios.yaml", "--executions", "2", "--quiet", "--json", "-", "passes")
	got.want(t, 0)
	kinds(t, got.out)
	if strings.Contains(got.errs, "since the beginning") {
		t.Errorf("got %s", got.errs)
	}
}
