package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// largeTest is a test that, with -short, uses 256 MiB for as long as it takes to be seen.
const largeTest = `func TestLarge(t *testing.T) {
	if !testing.Short() {
		t.Skip()
	}
	large := bytes.Repeat([]byte("x"), 256<<20)
	syscall.Nanosleep(&syscall.Timespec{Nsec: 5e8}, nil)
	if large[len(large)-1] != 'x' {
		t.Error("lost")
	}
}

`

// flagFiles are those of a module in which each flag of stress test changes what is reported.
var flagFiles = map[string]string{
	"go.mod":       "module example.com/m\n\ngo 1.25\n",
	"other.mod":    "module example.com/other\n\ngo 1.25\n",
	"a/a.go":       "package a\n\nvar linked = \"no\"\n\nfunc value() int { return 1 }\n",
	"a/other.go_":  "package a\n\nvar linked = \"no\"\n\nfunc value() int { return 2 }\n",
	"a/a.s":        "#ifdef WRONG\nWRONG\n#endif\n",
	"overlay.json": `{"Replace": {"a/a.go": "a/other.go_"}}`,
	"a/tagged_test.go": "//go:build tagged\n\npackage a\n\nimport \"testing\"\n\n" +
		"func TestTagged(t *testing.T) {}\n",
	"a/a_test.go": `package a

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv("PROCESSES"); dir != "" {
		os.WriteFile(fmt.Sprintf("%s/%d", dir, os.Getpid()), nil, 0o600)
	}
	os.Exit(m.Run())
}

func TestPasses(t *testing.T) {
	c := make(chan int)
	for i := range 3 {
		go func() { c <- i }()
	}
	for range 3 {
		<-c
	}
}

func TestFails(t *testing.T) {
	c := make(chan int, 1)
	go func() { c <- 1 }()
	select {
	case <-c:
	default:
		t.Error("empty")
	}
}

func TestImpatient(t *testing.T) {
	done := make(chan bool, 1)
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	go func() { runtime.Gosched(); done <- true }()
	select {
	case <-done:
	case <-ctx.Done():
		t.Error("late")
	}
}

func TestLeaves(t *testing.T) { go func() { select {} }() }

func TestRaces(t *testing.T) {
	n := 0
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { n++ })
	}
	wg.Wait()
}

func TestVirtual(t *testing.T) {
	if a, b := time.Now(), time.Now(); b.Sub(a) != 1 {
		t.Error("time is real")
	}
}

func TestLong(t *testing.T) {
	c := make(chan int, 1)
	for range 100 {
		c <- 1
		<-c
	}
}

var once sync.Once

func TestHolds(t *testing.T) {
	once.Do(func() {
		if os.Mkdir("held", 0o700) == nil { // in the first process
			syscall.Nanosleep(&syscall.Timespec{Sec: 3}, nil)
		}
	})
}

` + largeTest + `func TestShort(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
}

func TestStarted(t *testing.T) {
	if os.Getenv("STARTED") != "" {
		t.Error("by another program")
	}
}

func TestLinked(t *testing.T) {
	if linked != "no" || value() != 1 {
		t.Error("another build")
	}
}

func TestArguments(t *testing.T) {
	if len(os.Args) > 1 && os.Args[len(os.Args)-1] == "extra" {
		t.Error("an argument")
	}
}
`,
}

// A flagRun is what a run of stress test has come to.
type flagRun struct {
	call
	suite     struct{ ForSeconds float64 }
	tests     map[string]flagTest
	shown     string // on a terminal
	processes int
	files     map[string]bool
}

type flagTest struct {
	Package, Status, Verdict, Traces, Recording string
	Executions                                  int
}

// A flagCase is what a flag changes: it holds of a run with the flag, and not of one without.
type flagCase struct {
	args  string // with the flag; the module's folder is DIR
	holds func(with, without *flagRun) bool
}

// flagCases are those of all flags of stress test, and of what follows -args.
var flagCases = map[string]flagCase{
	"executions":   {"-run TestPasses --executions 7", func(r, _ *flagRun) bool { return r.tests["TestPasses"].Executions == 7 }},
	"for":          {"-run TestPasses --for 1s", func(r, _ *flagRun) bool { return r.tests["TestPasses"].Executions != 1000 && r.suite.ForSeconds == 1 }},
	"seed":         {"-run TestPasses --seed 2", func(r, other *flagRun) bool { return r.tests["TestPasses"].Traces != other.tests["TestPasses"].Traces }},
	"strategy":     {"-run TestVirtual --strategy dfs", func(r, _ *flagRun) bool { return r.tests["TestVirtual"].Executions == 1 }},
	"clock":        {"-run TestImpatient --clock racy", fails("TestImpatient", "wrong-result")},
	"leaks":        {"-run TestLeaves --leaks", fails("TestLeaves", "leak")},
	"uncontrolled": {"-run TestLong --max-steps 50 --uncontrolled fail", prints("FAIL: 1 test, 1 uncontrolled")},
	"native":       {"-run TestVirtual --native --search 0", fails("TestVirtual", "wrong-result")},
	"search":       {"-run TestVirtual --native --search 300", prints("not reproduced under control in 300 executions (")},
	"max-steps":    {"-run TestLong --max-steps 50", func(r, _ *flagRun) bool { return r.status("TestLong") == "uncontrolled uncontrolled" }},
	"procs":        {"-run TestPasses --procs 1", func(r, other *flagRun) bool { return r.processes < other.processes }},
	"timeout":      {"-run TestHolds --executions 1000 --timeout 500ms", func(r, _ *flagRun) bool { return r.status("TestHolds") == "uncontrolled uncontrolled" }},
	"memory":       {"-run TestLarge -short --executions 1 --memory 100MiB", fails("TestLarge", "panic")},
	"out":          {"-run TestFails --out elsewhere", func(r, _ *flagRun) bool { return strings.HasPrefix(r.tests["TestFails"].Recording, "elsewhere/") }},
	"replay":       {"-run TestFails --replay RECORDING", func(r, _ *flagRun) bool { return strings.Contains(r.out, "1 of 1 reproduced wrong-result") }},
	"json":         {"-run TestPasses --json k", wrote("k")},
	"junit":        {"-run TestPasses --junit x.xml", wrote("x.xml")},
	"report":       {"-run TestFails --report pages/", wrote("pages/example.com-m-a-TestFails.html")},
	"annotate":     {"-run TestFails --annotate github", prints("::error file=a/a_test.go,line=")},
	"run":          {"-run TestPasses", func(r, _ *flagRun) bool { return len(r.tests) == 1 && r.status("TestPasses") == "ok" }},
	"skip":         {"-run Test[PF]a -skip Fa", func(r, _ *flagRun) bool { return r.status("TestFails") == "" && r.status("TestPasses") == "ok" }},
	"race":         {"-run TestRaces -race", fails("TestRaces", "data-race")},
	"short":        {"-run TestShort -short", func(r, _ *flagRun) bool { return r.status("TestShort") == "skip" }},
	"count":        {"-run TestPasses -count 1", func(r, _ *flagRun) bool { return !strings.Contains(r.out, "(cached)") }},
	"since":        {"-run TestPasses --since none", func(r, _ *flagRun) bool { return r.code == 2 && strings.Contains(r.errs, "--since none: ") }},
	"exec":         {"-run TestStarted -exec DIR/starts", fails("TestStarted", "wrong-result")},
	"tags":         {"-run TestTagged -tags tagged", func(r, _ *flagRun) bool { return r.status("TestTagged") == "ok" }},
	"v":            {"-run TestImpatient -v", prints("fails when timers fire early")},
	"C":            {"-run TestPasses -C a .", func(r, _ *flagRun) bool { return r.files["a/j"] }},
	"mod":          {"-run TestPasses -mod nonsense", broken("nonsense")},
	"modfile":      {"-run TestPasses -modfile other.mod", func(r, _ *flagRun) bool { return r.tests["TestPasses"].Package == "example.com/other/a" }},
	"overlay":      {"-run TestLinked -overlay overlay.json", fails("TestLinked", "wrong-result")},
	"ldflags":      {"-run TestLinked -ldflags -X=example.com/m/a.linked=yes", fails("TestLinked", "wrong-result")},
	"gcflags":      {"-run TestPasses -gcflags -lang=go1.17", broken("go1.17")},
	"asmflags":     {"-run TestPasses -asmflags -D=WRONG", broken("a.s:2")},
	"plain":        {"-run TestHolds --plain", func(r, _ *flagRun) bool { return r.shown != "" && !strings.Contains(r.shown, "\x1b[") }},
	"quiet":        {"-run TestHolds --quiet", func(r, _ *flagRun) bool { return r.shown != "" && !strings.Contains(r.shown, "\x1b[") }},
	"args":         {"-run TestArguments -args extra", fails("TestArguments", "wrong-result")},
}

func fails(test, verdict string) func(_, _ *flagRun) bool {
	return func(r, _ *flagRun) bool { return r.status(test) == "FAIL "+verdict }
}

func wrote(name string) func(_, _ *flagRun) bool {
	return func(r, _ *flagRun) bool { return r.files[name] }
}

func prints(text string) func(_, _ *flagRun) bool {
	return func(r, _ *flagRun) bool { return strings.Contains(r.out, text) }
}

func broken(text string) func(_, _ *flagRun) bool {
	return func(r, _ *flagRun) bool { return r.code == 2 && strings.Contains(r.out+r.errs, text) }
}

// status is that of a test, "" if it has not run.
func (r *flagRun) status(test string) string {
	t := r.tests[test]
	return strings.TrimSpace(t.Status + " " + strings.TrimPrefix(t.Verdict, "pass"))
}

// flagsOfTest are the flags that the help of stress test lists.
func flagsOfTest(t *testing.T) (names []string) {
	t.Helper()
	for _, m := range regexp.MustCompile(`(?m)^ +(?:-\w, )?--([\w-]+)`).FindAllStringSubmatch(in(t, ".", plainBinary, "test", "--help").out, -1) {
		if m[1] != "help" {
			names = append(names, m[1])
		}
	}
	return append(names, "args")
}

// TestFlagsOfTest: each flag of stress test changes what it is to change.
func TestFlagsOfTest(t *testing.T) {
	t.Setenv("GOFLAGS", "")
	without := testFlag(t, "", false, "")
	if without.code != 1 {
		t.Fatalf("%s%s", without.out, without.errs)
	}
	onTerminal := testFlag(t, "-run TestHolds", true, "")
	names := flagsOfTest(t)
	if len(names) < 30 || len(names) != len(flagCases) {
		t.Errorf("%d flags, %d cases", len(names), len(flagCases))
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			c, ok := flagCases[name]
			if !ok {
				t.Fatal("it has no case")
			}
			terminal := name == "plain" || name == "quiet"
			other := without
			if terminal {
				other = onTerminal
			}
			var before []string
			if name == "count" { // it is about what an earlier run has left
				t.Setenv("ROUSE_RESULTS", t.TempDir())
				before = []string{"-run TestPasses"}
				other = testFlag(t, before[0], false, "", before...)
			}
			with := testFlag(t, c.args, terminal, without.tests["TestFails"].Recording, before...)
			if c.holds(other, other) {
				t.Errorf("without the flag: exit code %d\n%+v\n%s%s%s", other.code, other.tests, other.out, other.errs, other.shown)
			}
			if !c.holds(with, other) {
				t.Errorf("with the flag: exit code %d\n%+v\n%s%s%s", with.code, with.tests, with.out, with.errs, with.shown)
			}
		})
	}
}

// testFlag runs stress test with arguments on a fresh copy of the module, and before that with other arguments.
func testFlag(t *testing.T, args string, onTerminal bool, recording string, before ...string) *flagRun {
	t.Helper()
	dir := t.TempDir()
	for name, text := range flagFiles {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o700); err != nil {
			t.Fatal(err)
		}
		write(t, dir, name, text)
	}
	starts := write(t, dir, "starts", "#!/bin/sh\nSTARTED=1 exec \"$@\"\n")
	if err := os.Chmod(starts, 0o700); err != nil {
		t.Fatal(err)
	}
	args = strings.NewReplacer("DIR", dir, "RECORDING", recording).Replace(args)
	words := []string{"test"}
	if !strings.Contains(args, "-C ") {
		words = append(words, "./a")
	}
	words = append(append(words, "--seed", "1", "--procs", "3", "--json", "j"), strings.Fields(args)...)
	r := &flagRun{tests: map[string]flagTest{}, files: map[string]bool{}}
	processes := t.TempDir()
	for _, args := range before {
		cmd := exec.Command(plainBinary, append([]string{"test", "./a", "--seed", "1", "--procs", "3"}, strings.Fields(args)...)...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "PROCESSES="+processes)
		finish(t, cmd).want(t, 0)
	}
	cmd := exec.Command(plainBinary, words...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "PROCESSES="+processes, "TERM=xterm")
	if onTerminal {
		r.shown = shownOnTerminal(t, cmd)
	} else {
		r.call = finish(t, cmd)
	}
	for _, file := range tree(t, dir) {
		name, _, _ := strings.Cut(strings.TrimPrefix(file, "/"), " (")
		r.files[name] = true
	}
	r.processes = len(tree(t, processes))
	for _, name := range []string{"j", "k", "a/j"} {
		if r.files[name] {
			r.read(t, readFile(t, filepath.Join(dir, name)))
		}
	}
	if at := r.tests["TestFails"]; recording == "" && at.Recording != "" && !filepath.IsAbs(at.Recording) {
		at.Recording = filepath.Join(dir, at.Recording)
		r.tests["TestFails"] = at
	}
	return r
}

// read reads a report in JSON lines.
func (r *flagRun) read(t *testing.T, text string) {
	t.Helper()
	lines := bufio.NewScanner(bytes.NewReader([]byte(text)))
	lines.Buffer(nil, len(text)+1)
	for lines.Scan() {
		var line struct {
			Kind, Test string
			ForSeconds float64 `json:"for_seconds"`
		}
		var test flagTest
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		switch line.Kind {
		case "suite":
			r.suite.ForSeconds = line.ForSeconds
		case "test":
			if err := json.Unmarshal(lines.Bytes(), &test); err != nil {
				t.Fatal(err)
			}
			r.tests[line.Test] = test
		}
	}
}
