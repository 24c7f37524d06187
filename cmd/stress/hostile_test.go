package main

import (
	"encoding/xml"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// ofATest is a recording that a test has left, of that subject.
func ofATest(subject string) string {
	return "rouse recording 2\nkind: controlled\nsubject: " + subject + "\nseed: 0x1\nverdict: deadlock\nsummary: stuck\nhash: 1\nschedule:\n  main #1: run main/0\nend\n"
}

// byHand is the text of a recording, or of one with more lines behind it, as it may be after an edit.
func byHand(text string) string {
	return regexp.MustCompile(`(?m)^end sha256 .*\n`).ReplaceAllString(text, "") + "end\n"
}

var reproduceLine = regexp.MustCompile(`(?m)^reproduce: (.*)$`)

// TestReproduceIsQuoted: the command that is printed of a recording can be pasted into a shell:
// the go command gets the words, and nothing else runs.
func TestReproduceIsQuoted(t *testing.T) {
	dir := t.TempDir()
	bin := filepath.Join(dir, "bin")
	if err := os.Mkdir(bin, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(bin, "go"), []byte("#!/bin/sh\nprintf '%s\\n' \"$@\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	file := write(t, dir, "$(touch ran) 'x'.rouse", ofATest("example.com/queue TestQueue/$(touch${IFS}ran)/`touch${IFS}ran`/it's"))
	for _, command := range []string{"replay", "explain", "shrink"} {
		got := in(t, dir, chaosBinary, command, file)
		got.want(t, 0)
		line := reproduceLine.FindStringSubmatch(got.out)
		if line == nil {
			t.Fatal(got.out)
		}
		pasted := exec.Command("sh", "-c", line[1])
		pasted.Dir, pasted.Env = dir, append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"))
		out, err := pasted.CombinedOutput()
		want := strings.Join([]string{"test", "-tags", "chaos", "-run", "^TestQueue$/^" + regexp.QuoteMeta("$(touch${IFS}ran)") +
			"$/^" + regexp.QuoteMeta("`touch${IFS}ran`") + "$/^it's$", "example.com/queue", "-chaos.replay=" + file, ""}, "\n")
		if string(out) != want || err != nil {
			t.Errorf("%s: %s\nthe go command got\n%s%v\nwant\n%s", command, line[1], out, err, want)
		}
		if _, err := os.Stat(filepath.Join(dir, "ran")); err == nil {
			t.Fatalf("%s: the shell ran what the recording says: %s", command, line[1])
		}
	}
}

// TestSubjectIsATest: a subject that the go command would take for something else is refused,
// where it stands.
func TestSubjectIsATest(t *testing.T) {
	dir := t.TempDir()
	for subject, want := range map[string]string{
		"-toolexec=./evil TestQueue": `x.rouse:3:10: found "-toolexec=./evil TestQueue", want the import path of a package and a test, such as "example.com/queue TestQueue"`,
		"$(evil) TestQueue":          `x.rouse:3:10: found "$(evil) TestQueue", want the import path`,
		"queue -exec":                `x.rouse:3:10: found the test "-exec", want a name such as TestQueue`,
		"queue TestQueue/a b":        `x.rouse:3:10: found the test "TestQueue/a b", want a name such as TestQueue`,
		"scenario join":              `x.rouse:3:10: found the test "join", want a name such as TestQueue`,
	} {
		write(t, dir, "x.rouse", ofATest(subject))
		for _, command := range []string{"replay", "explain", "shrink"} {
			got := in(t, dir, chaosBinary, command, "x.rouse")
			got.want(t, 2)
			if got.out != "" || !strings.HasPrefix(got.errs, "stress: "+want) || strings.Count(got.errs, "\n") != 1 {
				t.Errorf("%s of %q: %s%s", command, subject, got.out, got.errs)
			}
		}
	}
}

// evil is what a name or a summary may hold to speak to a terminal or a CI runner; quotedEvil is the
// same in JSON and in YAML's quotes.
const (
	evil       = "a\x1b]0;title\x07\x1b[31m\u009b2J\u202eb\u2066c\r::error::c\n::error title=x::forged\n \t::warning::d ##[error]e ##vso[x]f\x7f"
	quotedEvil = `a\u001b]0;title\u0007\u001b[31m\u009b2J\u202eb\u2066c\r::error::c\n::error title=x::forged\n \t::warning::d ##[error]e ##vso[x]f\u007f`
)

// harmless fails the test if a terminal or a CI runner would do something with the text.
func harmless(t *testing.T, what, text string) {
	t.Helper()
	for _, r := range text {
		if r != '\n' && r != '\t' && r < 0x20 || r >= 0x7f && r <= 0x9f || r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069' || r == '\u200e' || r == '\u200f' {
			t.Errorf("%s: found %U in\n%q", what, r, text)
			return
		}
	}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "::") || strings.Contains(line, "##[") || strings.Contains(line, "##vso[") {
			t.Errorf("%s: found the command %q", what, line)
		}
	}
}

// TestOutputIsHarmless: whatever stands in files, names and arguments, each command writes plain text.
func TestOutputIsHarmless(t *testing.T) {
	dir := t.TempDir()
	yaml := strings.Replace(scenarioFile, "about: ", `about: "`+quotedEvil+`" #`, 1)
	if yaml == scenarioFile {
		t.Fatal("no about in the file")
	}
	write(t, dir, "s.yaml", yaml)
	write(t, dir, "key.yaml", "version: 1\n\""+quotedEvil+"\": 1\n")
	write(t, dir, "raw.yaml", "version: 1\n"+evil)
	write(t, dir, "test.rouse", strings.Replace(ofATest("example.com/queue TestQueue"), "summary: stuck", "summary: "+strings.ReplaceAll(evil, "\n", "\r"), 1))
	write(t, dir, "raw.rouse", "rouse recording 2\n"+evil)
	_, text := controlledRecording(t, dir)
	write(t, dir, "scenario.rouse", regexp.MustCompile(`(?m)^summary: .*$`).ReplaceAllString(byHand(text+
		"  main/77 #9: run main # "+strings.ReplaceAll(evil, "\n", "\r")+"\n"), "summary: "+strings.ReplaceAll(evil, "\n", "\r")))
	write(t, dir, "scenarios.yaml", scenarioFile)
	for _, name := range []string{"m0", "m1"} {
		in(t, dir, chaosBinary, "run", "--file", "scenarios.yaml", "--executions", "4", "--seed", "5", "--shard", name[1:]+"/2", "--json", name, "fails")
		report := readFile(t, filepath.Join(dir, name))
		report = regexp.MustCompile(`"(summary|recording|shrunk|why|version)":"[^"]*"`).ReplaceAllString(report, `"$1":"`+quotedEvil+`"`)
		report = regexp.MustCompile(`"explanation":\[[^\]]*\]`).ReplaceAllString(report, `"explanation":["`+quotedEvil+`"]`)
		write(t, dir, name, report)
	}
	for _, args := range [][]string{
		{"validate", "s.yaml"}, {"list", "--file", "s.yaml"}, {"run", "--file", "s.yaml", "--executions", "2"},
		{"run", "--file", "s.yaml", "--executions", "2", "--json", "-"}, {"validate", "key.yaml"}, {"validate", "raw.yaml"}, {"run", "--file", "raw.yaml"},
		{"explain", "test.rouse"}, {"replay", "test.rouse"}, {"shrink", "test.rouse"}, {"explain", "raw.rouse"}, {"replay", "scenario.rouse", "--explain", "--times", "2"},
		{"explain", "scenario.rouse"}, {"shrink", "scenario.rouse"}, {"merge", "m0", "m1"}, {"merge", "m0", "m1", "--json", "-"},
		{"merge", "m0", "m1", "--junit", "j.xml", "--report", "r.md", "--report", "r.html"}, {evil}, {"run", evil}, {"run", "--" + evil}, {"validate", evil}, {"help", evil}, {"schema", evil},
		{"run", "--group", evil}, {"run", "--seed", evil}, {"run", "--json", evil}, {"merge", evil}, {"explain", evil},
	} {
		got := in(t, dir, chaosBinary, args...)
		if got.code > 2 {
			t.Errorf("%q: exit code %d\n%s", args, got.code, got.errs)
		}
		if args[0] == "merge" && args[1] == "m0" && (got.code != 1 || !strings.Contains(got.out+got.errs, `::error::c`)) {
			t.Errorf("%q: exit code %d, want a failure with its summary\n%s%s", args, got.code, got.out, got.errs)
		}
		harmless(t, strings.Join(args, " ")+": stdout", got.out)
		harmless(t, strings.Join(args, " ")+": stderr", got.errs)
	}
	for _, name := range []string{"j.xml", "r.md", "r.html"} {
		for _, r := range readFile(t, filepath.Join(dir, name)) {
			if r != '\n' && r != '\t' && r < 0x20 || r >= 0x7f && r <= 0x9f || r == '\u202e' || r == '\u2066' {
				t.Errorf("%s: found %U", name, r)
				break
			}
		}
	}
	var suites struct {
		Tests int `xml:"tests,attr"`
	}
	if err := xml.Unmarshal([]byte(readFile(t, filepath.Join(dir, "j.xml"))), &suites); err != nil || suites.Tests != 1 {
		t.Errorf("%v, %d tests", err, suites.Tests)
	}
}

// TestAnnotationsAreOurs: on GitHub only our own commands stand in the log, a line each.
func TestAnnotationsAreOurs(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "s.yaml", strings.Replace(scenarioFile, "about: ", `about: "`+quotedEvil+`" #`, 1))
	got := in(t, dir, chaosBinary, "run", "--file", "s.yaml", "--executions", "5", "--annotate", "github", "fails")
	got.want(t, 1)
	var ours, others []string
	for line := range strings.Lines(got.out) {
		if strings.HasPrefix(line, "::error file=s.yaml,line=") {
			ours = append(ours, line)
		} else {
			others = append(others, line)
		}
	}
	if len(ours) != 1 {
		t.Errorf("%d annotations in\n%s", len(ours), got.out)
	}
	harmless(t, "the rest", strings.Join(others, ""))
}

// hostileNames would lead elsewhere as the names of files.
var hostileNames = []string{"..", "../evil", "../../../evil", "/tmp/evil", "a/../../../evil", `..\..\evil`, `C:\evil`, "evil\x00", ".", "", strings.Repeat("evil", 2000)}

// TestNamesStayInTheFolder: no name in a recording of any kind, or in a scenario file, is that of a file outside of the
// folder for the output. Names are refused, but for those of subtests, which are any text.
func TestNamesStayInTheFolder(t *testing.T) {
	outer := t.TempDir()
	dir := filepath.Join(outer, "a", "b", "module")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "go.mod", "module example.com/queue\n\ngo 1.25\n")
	write(t, dir, "queue_test.go", "package queue\n\nimport \"testing\"\n\nfunc TestQueue(t *testing.T) {}\n")
	write(t, dir, "in.yaml", scenarioFile)
	in(t, dir, chaosBinary, "run", "--file", "in.yaml", "--executions", "1", "--seed", "1", "--out", "out", "fails").want(t, 1)
	natives, _ := filepath.Glob(filepath.Join(dir, "out", "fails-*.rouse"))
	if len(natives) == 0 {
		t.Fatal(tree(t, dir))
	}
	ofAScenario := map[string]string{"native": readFile(t, natives[0]), "control": readFile(t, droppedRecording(t, dir))}
	ofTests := map[string]string{
		"controlled": ofATest("SUBJECT"),
		"unmodified": "rouse recording 2\nkind: unmodified\nsubject: SUBJECT\nbuild: go1.26.0 linux/amd64\nstrategy: portfolio\nseed: 0x1\nexecution: 1\nstart: 2025-11-22T17:35:00Z\nclock: lazy\nverdict: deadlock\nsummary: stuck\nhash: 1\nschedule:\n  main #1: run main/0\nend\n",
		"test":       "rouse recording 2\nkind: native\nsubject: SUBJECT\nbuild: go1.26.0 linux/amd64\ncampaign: 0x1\nseed: 0x1\nexecution: 1\nmaxprocs: 4\nverdict: deadlock\nsummary: stuck\nend\n",
	}
	refused := func(what string, args ...string) {
		t.Helper()
		before := strings.Join(tree(t, outer), "\n")
		if got := in(t, dir, chaosBinary, args...); got.code != 2 || strings.Count(got.errs, "\n") != 1 {
			t.Errorf("%s: %q: exit code %d\n%.300s%.300s", what, args, got.code, got.out, got.errs)
		}
		if after := strings.Join(tree(t, outer), "\n"); after != before {
			t.Fatalf("%s: %q: the folder has\n%s\nbefore\n%s", what, args, after, before)
		}
	}
	commands := [][]string{{"explain", "x.rouse", "--test"}, {"explain", "x.rouse", "--html", "x.html"}, {"shrink", "x.rouse"}, {"replay", "x.rouse"}, {"test", "--replay", "x.rouse"}, {"debug", "x.rouse"}}
	setupName, subject := regexp.MustCompile(`(?m)^  ( *-? *)name: .*$`), regexp.MustCompile(`(?m)^subject: .*$`)
	for i, name := range hostileNames {
		quoted := strconv.Quote(name)
		recordings := map[string]string{}
		for kind, text := range ofTests {
			recordings[kind+", package"] = strings.Replace(text, "SUBJECT", name+" TestQueue", 1)
			recordings[kind+", test"] = strings.Replace(text, "SUBJECT", "example.com/queue "+name, 1)
		}
		for kind, text := range ofAScenario {
			edited := setupName.ReplaceAllLiteralString(subject.ReplaceAllLiteralString(byHand(text), "subject: scenario "+strings.Trim(quoted, `"`)), "  - name: "+quoted)
			if edited == byHand(text) || len(setupName.FindAllString(text, -1)) != 1 {
				t.Fatalf("%s: its scenario has another form:\n%s", kind, text)
			}
			recordings[kind] = edited
		}
		for kind, text := range recordings {
			write(t, dir, "x.rouse", text)
			for j, command := range commands {
				if i < 2 || j == i%len(commands) { // all are refused by the same reader
					refused(kind+", "+quoted[:min(len(quoted), 30)], command...)
				}
			}
		}
		write(t, dir, "x.yaml", strings.Replace(scenarioFile, "name: fails", "name: "+quoted, 1))
		refused("a scenario file", "run", "--file", "x.yaml", "--executions", "1", "--out", "out")
	}
	inside := len(tree(t, dir))
	outside := len(tree(t, outer)) - inside
	for _, name := range hostileNames {
		if strings.ContainsAny(name, "\x00") || name == "" {
			continue // no subtest is called so
		}
		write(t, dir, "x.rouse", strings.Replace(ofTests["unmodified"], "SUBJECT", "example.com/queue TestQueue/"+name, 1))
		in(t, dir, chaosBinary, "explain", "x.rouse", "--test").want(t, 0)
	}
	written := len(tree(t, dir)) - inside
	if got := len(tree(t, outer)) - inside - written; got != outside || written == 0 {
		t.Errorf("%d files outside of the module, want %d; %d written inside", got, outside, written)
	}
	for _, name := range tree(t, dir) {
		if strings.Contains(name, "evil") && !strings.HasSuffix(strings.Split(name, " ")[0], "_test.go") {
			t.Errorf("a subtest has named %s", name)
		}
	}
}
