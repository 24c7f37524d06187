package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// mutantFiles are those of a module in which each flag of stress mutate changes what is reported. The lock
// of Add is seen by the race detector only, the compare-and-swap of Once under control only.
var mutantFiles = map[string]string{
	"go.mod":       "module example.com/m\n\ngo 1.25\n",
	"other.mod":    "module example.com/other\n\ngo 1.25\n",
	"a/a.s":        "#ifdef WRONG\nWRONG\n#endif\n",
	"a/tagged.go":  "//go:build tagged\n\npackage a\n\nfunc Tagged(c chan int) { close(c) }\n",
	"a/replaced_":  "package a\n\nimport \"sync/atomic\"\n\nvar done atomic.Bool\n\nfunc Once() bool {\n\treturn done.CompareAndSwap(false, true)\n}\n",
	"overlay.json": `{"Replace": {"a/once.go": "a/replaced_"}}`,
	"a/dead.go":    "package a\n\nconst trace = false\n\nfunc Dead(c chan int) {\n\tif trace {\n\t\tclose(c)\n\t}\n}\n",
	"a/link.go":    "package a\n\nvar linked = \"no\"\n",
	"a/once.go":    "package a\n\nimport \"sync/atomic\"\n\nvar done atomic.Bool\n\n// Once is true once.\nfunc Once() bool { return done.CompareAndSwap(false, true) }\n",
	"a/a.go":       "package a\n\nimport \"sync\"\n\nvar mu sync.Mutex\n\nvar sum int\n\nfunc Add(n int) {\n\tmu.Lock()\n\tsum += n\n\tmu.Unlock()\n}\n",
	"a/a_test.go": `package a

import (
	"bytes"
	"sync"
	"syscall"
	"testing"
)

func TestAdd(t *testing.T) {
	var adders sync.WaitGroup
	for range 2 {
		adders.Go(func() { Add(1) })
	}
	adders.Wait()
}

func TestOnce(t *testing.T) {
	done.Store(false)
	var mu sync.Mutex
	var callers sync.WaitGroup
	times := 0
	for range 2 {
		callers.Go(func() {
			if Once() {
				mu.Lock()
				times++
				mu.Unlock()
			}
		})
	}
	if callers.Wait(); times != 1 {
		t.Error(times)
	}
}

func TestLong(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	done.Store(false)
	if !Once() || Once() {
		t.Error("not once")
	}
}

var runs int

func TestTwice(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	Once()
	if runs++; runs > 1 {
		t.Error("again")
	}
}

` + largeTest + `func TestLinked(t *testing.T) {
	if linked != "no" {
		t.Error("another build")
	}
}
`,
}

// A mutantRun is what a run of stress mutate has come to.
type mutantRun struct {
	call
	shown   string // on a terminal
	ids     []string
	mutants map[string]mutantLine
	notes   string
	files   []string
}

type mutantLine struct {
	ID, Package, Status string
	Tests               []string
	Trials              []struct{ Way, Outcome string }
}

// outcome is that of a mutant in a way, "" if there is none.
func (r *mutantRun) outcome(id, way string) string {
	for _, t := range r.mutants[id].Trials {
		if t.Way == way {
			return t.Outcome
		}
	}
	return ""
}

// The mutants that the cases are about.
const (
	lockID  = "a.go/Add/delete-lock/1"
	onceID  = "once.go/Once/cas-to-load-and-store/1"
	storeID = "once.go/Once/cas-to-store/1"
)

// A mutantCase is what a flag changes: it holds of a run with the flag, and not of one without.
type mutantCase struct {
	args  string // of both runs
	flag  string // further ones, with the flag
	holds func(with, without *mutantRun) bool
}

const (
	fast    = "--operator cas-to-store"
	noTests = fast + " --way command --command true" // for flags of what is reported
	slow    = "--operator cas-to-store,cas-to-load --way command --command slow"
)

// mutantCases are those of all flags of stress mutate.
var mutantCases = map[string]mutantCase{
	"way":        {"--operator delete-lock", "--way race", func(r, _ *mutantRun) bool { return r.outcome(lockID, "race") == "killed" }},
	"command":    {fast, "--way command --command exit_1", func(r, _ *mutantRun) bool { return r.outcome(storeID, "command") == "killed" }},
	"budget":     {fast + " --way command --command slow", "--budget 300ms", func(r, _ *mutantRun) bool { return r.outcome(storeID, "command") == "timeout" }},
	"executions": {"--operator cas-to-load-and-store --way stress", "--executions 1", func(r, _ *mutantRun) bool { return r.outcome(onceID, "stress") == "survived" }},
	"count": {fast, "--count 2", func(r, _ *mutantRun) bool {
		return strings.Contains(r.notes, "TestTwice does not pass when it runs alone")
	}},
	"procs": {"--operator cas-to-store,cas-to-load --way command --command alone --procs 2", "--procs 1", func(r, _ *mutantRun) bool {
		return r.outcome(storeID, "command") == "survived" && r.outcome("once.go/Once/cas-to-load/1", "command") == "survived"
	}},
	"memory": {fast + " -short", "--memory 100MiB", func(r, _ *mutantRun) bool { return strings.Contains(r.notes, "TestLarge does not pass") }},
	"sample": {"--way command --command true", "--sample 2", func(r, _ *mutantRun) bool { return len(r.ids) == 2 }},
	"seed":   {"--way command --command true --sample 2", "--seed 3", func(r, other *mutantRun) bool { return !slices.Equal(r.ids, other.ids) }},
	"since": {"--way command --command true", "--since HEAD", func(r, _ *mutantRun) bool {
		return len(r.ids) > 0 && !slices.Contains(r.ids, storeID) && slices.Contains(r.ids, lockID)
	}},
	"operator": {"--way command --command true", fast, func(r, _ *mutantRun) bool { return slices.Equal(r.ids, []string{storeID}) }},
	"id":       {"--way command --command true", "--id " + storeID, func(r, _ *mutantRun) bool { return slices.Equal(r.ids, []string{storeID}) }},
	"score":    {"--operator delete-lock --way command --command true", "--score 0.5", func(r, _ *mutantRun) bool { return r.code == 1 }},
	"out":      {noTests, "--out kept", func(r, _ *mutantRun) bool { return slices.Contains(r.files, "/kept/mutants.jsonl") }},
	"list":     {noTests, "--list", func(r, _ *mutantRun) bool { return strings.HasSuffix(r.out, storeID+"\n1 mutant\n") }},
	"diff":     {noTests, "--diff " + storeID, func(r, _ *mutantRun) bool { return strings.Contains(r.out, "\n--- a/a/once.go\n") && len(r.ids) == 0 }},
	"json":     {noTests, "--json k", wroteMutants("/k")},
	"junit":    {noTests, "--junit x.xml", wroteMutants("/x.xml")},
	"markdown": {noTests, "--markdown m.md", wroteMutants("/m.md")},
	"annotate": {"--operator delete-lock --way command --command true", "--annotate github", func(r, _ *mutantRun) bool { return strings.Contains(r.out, "::warning file=a/a.go,line=10,") }},
	"run":      {fast, "--run TestLong", func(r, _ *mutantRun) bool { return slices.Equal(r.mutants[storeID].Tests, []string{"TestLong"}) }},
	"short":    {fast, "-short", func(r, _ *mutantRun) bool { return slices.Equal(r.mutants[storeID].Tests, []string{"TestOnce"}) }},
	"tags":     {"--way command --command true", "-tags tagged", func(r, _ *mutantRun) bool { return slices.Contains(r.ids, "tagged.go/Tagged/delete-close/1") }},
	"v":        {"--operator delete-close --way command --command true", "-v", func(r, _ *mutantRun) bool { return strings.Contains(r.out, "equivalent a/dead.go:7:3 delete-close") }},
	"C":        {"--way command --command true", "-C a .", func(r, _ *mutantRun) bool { return slices.Contains(r.files, "/a/j") }},
	"mod":      {fast, "-mod nonsense", refusedMutants("nonsense")},
	"modfile":  {noTests, "-modfile other.mod", func(r, _ *mutantRun) bool { return r.mutants[storeID].Package == "example.com/other/a" }},
	"overlay":  {"--operator cas-to-store,delete-lock --way command --command true", "-overlay overlay.json", func(r, _ *mutantRun) bool { return strings.Contains(r.notes, "once.go is replaced by -overlay") }},
	"ldflags":  {fast, "-ldflags -X=example.com/m/a.linked=yes", func(r, _ *mutantRun) bool { return strings.Contains(r.notes, "TestLinked does not pass") }},
	"gcflags":  {fast, "-gcflags -lang=go1.17", refusedMutants("go1.17")},
	"asmflags": {fast, "-asmflags -D=WRONG", refusedMutants("a.s:2")},
	"plain":    {slow, "--plain", func(r, _ *mutantRun) bool { return r.shown != "" && !strings.Contains(r.shown, "\x1b[") }},
	"quiet":    {slow, "--quiet", func(r, _ *mutantRun) bool { return r.shown != "" && !strings.Contains(r.shown, "\x1b[") }},
}

func wroteMutants(name string) func(_, _ *mutantRun) bool {
	return func(r, _ *mutantRun) bool { return slices.Contains(r.files, name) }
}

func refusedMutants(text string) func(_, _ *mutantRun) bool {
	return func(r, _ *mutantRun) bool { return r.code == 2 && strings.Contains(r.out+r.errs, text) }
}

// commandsOfCases are the commands that the cases name, which have blanks.
var commandsOfCases = map[string]string{
	"exit_1": `test -z "$GOFLAGS"`, "slow": `test -z "$GOFLAGS" || sleep 1`,
	"alone": `test -z "$GOFLAGS" || { mkdir "$MUTANTS/lock" || exit 1; for i in 1 2 3 4 5 6 7 8 9 10; do sleep 0.1; done; rmdir "$MUTANTS/lock"; }`,
}

// TestFlagsOfMutate: each flag of stress mutate changes what it is to change.
func TestFlagsOfMutate(t *testing.T) {
	t.Setenv("GOFLAGS", "")
	dir := t.TempDir()
	for name, text := range mutantFiles {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o700); err != nil {
			t.Fatal(err)
		}
		write(t, dir, name, text)
	}
	for _, args := range []string{"init -q", "add .", "-c user.name=a -c user.email=a@b.c commit -q -m one"} {
		cmd := exec.Command("git", strings.Fields(args)...)
		cmd.Dir = dir
		finish(t, cmd).want(t, 0)
	}
	write(t, dir, "a/a.go", strings.Replace(mutantFiles["a/a.go"], "\tmu.Lock()", "\tmu.Lock() // changed", 1))
	var names []string
	for _, m := range regexp.MustCompile(`(?m)^ +(?:-\w, )?--([\w-]+)`).FindAllStringSubmatch(in(t, ".", plainBinary, "mutate", "--help").out, -1) {
		if m[1] != "help" {
			names = append(names, m[1])
		}
	}
	if len(names) < 30 || len(names) != len(mutantCases) {
		t.Errorf("%d flags, %d cases", len(names), len(mutantCases))
	}
	runs := map[string]*mutantRun{} // without the flag
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			c, ok := mutantCases[name]
			if !ok {
				t.Fatal("it has no case")
			}
			terminal := name == "plain" || name == "quiet"
			if runs[c.args] == nil {
				runs[c.args] = mutateFlag(t, dir, c.args, terminal)
			}
			without := runs[c.args]
			with := mutateFlag(t, dir, c.args+" "+c.flag, terminal)
			for what, holds := range map[string]bool{"without": !c.holds(without, without), "with": c.holds(with, without)} {
				if r := map[string]*mutantRun{"without": without, "with": with}[what]; !holds {
					t.Errorf("%s the flag: exit code %d\n%+v\n%s\n%s%s%s", what, r.code, r.mutants, r.notes, r.out, r.errs, r.shown)
				}
			}
		})
	}
}

// mutateFlag runs stress mutate with arguments in the module, and removes what it has written.
func mutateFlag(t *testing.T, dir, args string, onTerminal bool) *mutantRun {
	t.Helper()
	words := []string{"mutate"}
	if !strings.Contains(args, "-C ") {
		words = append(words, "./a")
	}
	if !strings.Contains(args, "--way") {
		words = append(words, "--way", "plain")
	}
	words = append(words, "--json", "j")
	for word := range strings.FieldsSeq(args) {
		if command, ok := commandsOfCases[word]; ok {
			word = command
		}
		words = append(words, word)
	}
	before := tree(t, dir)
	cmd := exec.Command(plainBinary, words...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "TERM=xterm", "CI=", "MUTANTS="+t.TempDir(), "GOMAXPROCS=1")
	r := &mutantRun{mutants: map[string]mutantLine{}}
	if onTerminal {
		r.shown = shownOnTerminal(t, cmd)
	} else {
		r.call = finish(t, cmd)
	}
	for _, file := range tree(t, dir) {
		name, _, _ := strings.Cut(file, " (")
		if r.files = append(r.files, name); slices.Contains(before, file) {
			continue
		}
		if base := filepath.Base(name); base == "j" || base == "k" {
			r.read(t, readFile(t, filepath.Join(dir, name)))
		}
		if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// read reads a report in JSON lines.
func (r *mutantRun) read(t *testing.T, text string) {
	t.Helper()
	for line := range bytes.Lines([]byte(text)) {
		var l struct {
			Kind  string
			Notes []string
			mutantLine
		}
		if err := json.Unmarshal(line, &l); err != nil {
			t.Fatal(err)
		}
		if l.Kind == "mutant" {
			r.ids = append(r.ids, l.ID)
			r.mutants[l.ID] = l.mutantLine
		}
		r.notes += strings.Join(l.Notes, "\n")
	}
}
