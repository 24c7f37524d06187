package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"go.uber.org/goleak"
)

// The program, built with and without hook points: an exit code can only be seen
// from outside.
var chaosBinary, plainBinary string

func TestMain(m *testing.M) { goleak.VerifyTestMain(built{m}) }

// Names that the program documents.
const (
	defaultOut  = "rouse-out"
	journalName = "journal.jsonl"
)

// seedEnv gives the campaign seed.
const seedEnv = "CHAOS_SEED"

// built is the tests of a program that is built first.
type built struct{ *testing.M }

func (m built) Run() int {
	for _, name := range []string{"CI", "GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY"} { // of the job that runs the tests
		os.Unsetenv(name)
	}
	// The tests may run with signals ignored (nohup, the background of a shell), which children inherit.
	// They do not inherit that a signal is received.
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGHUP} {
		if signal.Ignored(s) {
			signal.Notify(make(chan os.Signal, 1), s)
		}
	}
	dir, err := os.MkdirTemp("", "stress-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	chaosBinary, plainBinary = filepath.Join(dir, "stress.exe"), filepath.Join(dir, "plain.exe")
	for _, args := range [][]string{
		{"build", "-tags", "chaos", "-o", chaosBinary, "."},
		{"build", "-o", plainBinary, "."},
	} {
		if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "go %v: %v\n%s", args, err, out)
			return 1
		}
	}
	os.Unsetenv(seedEnv)
	os.Setenv("ROUSE_RESULTS", "off") // these tests run the same packages again and again
	return m.M.Run()
}

// copyFile puts a program elsewhere.
func copyFile(t *testing.T, from, to string) {
	t.Helper()
	if os.Link(from, to) == nil {
		return
	}
	text, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, text, 0o700); err != nil {
		t.Fatal(err)
	}
}

// A call is one run of the program to its end.
type call struct {
	dir, out, errs string
	code           int
}

// in runs a binary in a folder.
func in(t *testing.T, dir, binary string, args ...string) call {
	t.Helper()
	cmd := exec.Command(binary, args...)
	cmd.Dir = dir
	return finish(t, cmd)
}

func finish(t *testing.T, cmd *exec.Cmd) call {
	t.Helper()
	var out, errs bytes.Buffer
	if cmd.Stdout == nil {
		cmd.Stdout = &out
	}
	cmd.Stderr = &errs
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return call{cmd.Dir, out.String(), errs.String(), cmd.ProcessState.ExitCode()}
}

func (c call) want(t *testing.T, code int) {
	t.Helper()
	if c.code != code {
		t.Errorf("exit code %d, want %d\n%s%s", c.code, code, c.out, c.errs)
	}
}

// tree lists what is below a folder, with the sizes of the files.
func tree(t *testing.T, dir string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if !d.IsDir() {
			path = fmt.Sprintf("%s (%d bytes)", path, info.Size())
		}
		names = append(names, strings.TrimPrefix(path, dir))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// scenarioFile holds a scenario that passes, one that does not though it is to,
// and a control that detects nothing.
const scenarioFile = `version: 1
scenarios:
  - name: passes
    about: Nothing much happens.
    pool: {workers: [1, 2]}
    workload: inject
    sizes: {jobs: 3, injectors: 1}
    plan: [{at: pool/inject-pushed, fault: yield}]
    expect: pass
  - name: fails
    about: Every notification is dropped, but pass is expected.
    pool: {workers: [1]}
    workload: inject
    sizes: {jobs: 30, injectors: 1, pause: 5ms} # the worker sleeps before one of them
    plan: [{at: sleep/wake-notify, fault: drop}]
    expect: pass
  - name: blind
    about: A control that has nothing to detect.
    pool: {workers: [1]}
    workload: inject
    sizes: {jobs: 3, injectors: 1}
    plan: [{at: pool/inject-pushed, fault: yield}]
    expect: lost-wakeup
  - name: never
    about: A fault of a task that does not exist.
    pool: {workers: [1]}
    workload: inject
    sizes: {jobs: 3, injectors: 1}
    plan: [{at: pool/inject-pushed, fault: yield, task: nobody}]
    expect: pass
`

// TestUsage: a usage error is one line, and nothing on disk changes.
func TestUsage(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "scenarios.yaml", scenarioFile)
	write(t, dir, "bad.yaml", strings.Replace(scenarioFile, "workload: inject", "worklod: inject", 1))
	write(t, dir, "foreign", "hello\n")
	before := tree(t, dir)
	for _, c := range []struct{ args, want string }{
		{"", "stress: no command; want one of clean, completion, debug, doctor, explain, list, merge, mutants, mutate, points, replay, run, schema, shrink, test, validate; see stress --help"},
		{"rum", `stress: unknown command "rum"; did you mean "run"?`},
		{"frobnicate", `stress: unknown command "frobnicate"; want one of clean, completion, debug, doctor, explain, help, list, merge, mutants, mutate, points, replay, run, schema, shrink, test, validate`},
		{"help rum", `stress: unknown command "rum"; did you mean "run"?`},
		{"--sed 1", `stress: unknown flag --sed of stress; want one of --help, --version`},
		{"run --exectuions 1", `stress: unknown flag --exectuions of stress run; did you mean "--executions"?`},
		{"run --for", "stress: flag needs an argument: --for"},
		{"run --for 0s", `stress: invalid argument "0s" for "--for" flag: want a duration such as 90s or 4h, above 0 and at most 2562047h`},
		{"run --for -1m", `stress: invalid argument "-1m" for "--for" flag: want a duration such as 90s or 4h, above 0 and at most 2562047h`},
		{"run --for soon", `stress: invalid argument "soon" for "--for" flag: want a duration such as 90s or 4h, above 0 and at most 2562047h`},
		{"run --for 10", `stress: invalid argument "10" for "--for" flag: want a duration such as 90s or 4h, above 0 and at most 2562047h`},
		{"run --executions 0", `stress: invalid argument "0" for "--executions" flag: want a whole number from 1 to 2147483647`},
		{"run --executions -3", `stress: invalid argument "-3" for "--executions" flag: want a whole number from 1 to 2147483647`},
		{"run --executions 1.5", `stress: invalid argument "1.5" for "--executions" flag: want a whole number from 1 to 2147483647`},
		{"run --executions 99999999999", `stress: invalid argument "99999999999" for "--executions" flag: want a whole number from 1 to 2147483647`},
		{"run --executions 1 --for 1s", "stress: --for and --executions exclude each other, want one of them"},
		{"run --seed -1", `stress: invalid argument "-1" for "--seed" flag: want a number of at most 64 bits, decimal or 0x and hexadecimal`},
		{"run --seed 0xg", `stress: invalid argument "0xg" for "--seed" flag: want a number of at most 64 bits, decimal or 0x and hexadecimal`},
		{"run --seed 18446744073709551616", `stress: invalid argument "18446744073709551616" for "--seed" flag: want a number of at most 64 bits, decimal or 0x and hexadecimal`},
		{"run window-registerd", `stress: unknown scenario "window-registerd"; did you mean "window-registered"?`},
		{"run scenarios.yaml", `stress: unknown scenario "scenarios.yaml"; want --file for a scenario file`},
		{"run --file scenarios.yaml pases", `stress: unknown scenario "pases"; did you mean "passes"?`},
		{"run --file scenarios.yaml passes passes", "stress: scenario passes is named twice"},
		{"run --file none.yaml", "stress: none.yaml: cannot be read: no such file or directory"},
		{"run --file bad.yaml", `stress: bad.yaml:6:5: unknown key "worklod" in a scenario; did you mean "workload"?`},
		{"run --out foreign", "stress: --out foreign: not a folder"},
		{"run --out foreign/deeper", "stress: --out foreign/deeper: not a directory"},
		{"run --executions 2147483648", `stress: invalid argument "2147483648" for "--executions" flag: want a whole number from 1 to 2147483647`},
		{"run --for 1e9h", `stress: invalid argument "1e9h" for "--for" flag: want a duration such as 90s or 4h, above 0 and at most 2562047h`},
		{"run --out=", `stress: invalid argument "" for "--out" flag: want the name of a folder`},
		{"run --out=a\x01b", `stress: invalid argument "a\x01b" for "--out" flag: want a name without control characters`},
		{"run --file=", `stress: invalid argument "" for "--file" flag: want the name of a file`},
		{"run --json=", `stress: invalid argument "" for "--json" flag: want the name of a file`},
		{"run --file scenarios.yaml " + strings.Repeat("x", 50), `stress: unknown scenario "` + strings.Repeat("x", 40) + `..."; want one of passes, fails, blind, never`},
		{"list --file=", `stress: invalid argument "" for "--file" flag: want the name of a file`},
		{"validate EMPTY", `stress: invalid argument "" of stress validate: want the name of a file`},
		{"replay EMPTY", `stress: invalid argument "" of stress replay: want the name of a file`},
		{"points --json=maybe", `stress: invalid argument "maybe" for "--json" flag: want true or false`},
		{"--help=maybe", `stress: invalid argument "maybe" for "--help" flag: want true or false`},
		{"run --json .", "stress: --json .: a folder, want a file"},
		{"run --out new --json none/report", "stress: --json none/report: no such file or directory"},
		{"list more", `stress: unknown argument "more": stress list takes none; want --file for a scenario file`},
		{"points more", `stress: unknown argument "more": stress points takes none`},
		{"points --jsn", `stress: unknown flag --jsn of stress points; did you mean "--json"?`},
		{"validate a b", "stress: 2 arguments, want at most one: stress validate [FILE]"},
		{"validate bad.yaml", `stress: bad.yaml:6:5: unknown key "worklod" in a scenario; did you mean "workload"?`},
		{"mutants more", `stress: unknown argument "more": stress mutants takes none`},
		{"mutants --only no-final-chek", `stress: --only: unknown mutant "no-final-chek"; did you mean "no-final-check"?`},
		{"mutants --only none --only none", "stress: --only: mutant none is named twice"},
		{"mutants --seeds 0", `stress: invalid argument "0" for "--seeds" flag: want a whole number from 1 to 2147483647`},
		{"mutants --dir foreign", "stress: --dir: foreign: no go.mod, want the root of a checkout of github.com/rouse-go/rouse"},
		{"mutants", "stress: --dir: .: no go.mod, want the root of a checkout of github.com/rouse-go/rouse"},
		{"mutants --long=maybe", `stress: invalid argument "maybe" for "--long" flag: want true or false`},
		{"replay", "stress: 0 arguments, want one: stress replay FILE, where FILE is a recording"},
		{"replay none", "stress: none: cannot be read: no such file or directory"},
		{"replay foreign", `stress: foreign:1:1: found "hello", want "rouse recording 2": this is no recording`},
		{"shrink", "stress: 0 arguments, want one: stress shrink FILE, where FILE is a recording"},
		{"shrink foreign", `stress: foreign:1:1: found "hello", want "rouse recording 2": this is no recording`},
		{"run --search=-1s", `stress: invalid argument "-1s" for "--search" flag: want a duration such as 30s, a number of executions such as 5000, or 0`},
		{"shrink foreign --search=many", `stress: invalid argument "many" for "--search" flag: want a duration such as 30s, a number of executions such as 5000, or 0`},
		{"shrink foreign --out=", `stress: invalid argument "" for "--out" flag: want the name of a file`},
		{"test --replay x.rouse --executions 5", "stress: --replay: want no --executions or --for: it runs once; stress replay x.rouse --times N repeats it"},
		{"test --replay x.rouse --report pages/", "stress: --replay and --report exclude each other; stress explain x.rouse --html writes the page"},
		{"test --report pages.d", `stress: invalid argument "pages.d" for "--report" flag: want a name that ends in .md or .html, or a folder, which ends in /`},
		{"explain", "stress: 0 arguments, want one: stress explain FILE, where FILE is a recording"},
		{"explain none", "stress: none: cannot be read: no such file or directory"},
		{"explain foreign --against", "stress: flag needs an argument: --against"},
		{"explain foreign --against 1:2 --test", "stress: --test and --against exclude each other, want one of them"},
		{"debug", "stress: 0 arguments, want one: stress debug FILE, where FILE is a recording"},
		{"debug foreign", `stress: foreign:1:1: found "hello", want "rouse recording 2": this is no recording`},
		{"debug foreign --step 0", `stress: invalid argument "0" for "--step" flag: want the number of a step, from 1`},
		{"debug foreign --step last", `stress: invalid argument "last" for "--step" flag: want the number of a step, from 1`},
		{"debug foreign --listen 2345", "stress: --listen: address 2345: missing port in address; want an address such as localhost:2345"},
		{"run --variant tickel", `stress: invalid argument "tickel" for "--variant" flag: unknown variant "tickel"; did you mean "tickle"?`},
		{"run --variant rfc5,", `stress: invalid argument "rfc5," for "--variant" flag: unknown variant ""; want one of jec, jec-every-job, jec-local-queue, jec-two-idle, jec-blocks, jec-spinners, jec-one-by-one, jec-dummy-flag, jec-readme, rfc5, rfc5-no-sleepy, tickle, tickle-swap, tickle-dummy-flag, all`},
		{"run --variant rfc5,jec,rfc5", `stress: invalid argument "rfc5,jec,rfc5" for "--variant" flag: rfc5 is named twice`},
		{"run --shard 2/2", `stress: invalid argument "2/2" for "--shard" flag: want i/n, the shard i, from 0 to n-1, of n, at most 65536`},
		{"run --shard 1/2", "stress: --shard needs --seed, the same for all shards, or $CHAOS_SEED"},
		{"merge", "stress: no reports; want those of all shards: stress merge REPORT..."},
		{"merge none", "stress: none: cannot be read: no such file or directory"},
		{"merge foreign", "stress: foreign:1:1: not a report: the line is not JSON as --json writes it"},
		{"run --procs 1025", `stress: invalid argument "1025" for "--procs" flag: want a whole number from 1 to 1024`},
		{"run --procs 0", `stress: invalid argument "0" for "--procs" flag: want a whole number from 1 to 2147483647`},
		{"test --memory 1GB2", `stress: invalid argument "1GB2" for "--memory" flag: want a size of 1MiB or more, such as 500MiB or 2GiB, or none`},
		{"test --memory 10KiB", `stress: invalid argument "10KiB" for "--memory" flag: want a size of 1MiB or more, such as 500MiB or 2GiB, or none`},
		{"mutate --memory -1GiB", `stress: invalid argument "-1GiB" for "--memory" flag: want a size of 1MiB or more, such as 500MiB or 2GiB, or none`},
		{"test --memory NaNGiB", `stress: invalid argument "NaNGiB" for "--memory" flag: want a size of 1MiB or more, such as 500MiB or 2GiB, or none`},
		{"replay foreign --times 0", `stress: invalid argument "0" for "--times" flag: want a whole number from 1 to 2147483647`},
	} {
		t.Run(c.args, func(t *testing.T) {
			args := strings.Fields(c.args)
			if i := slices.Index(args, "EMPTY"); i >= 0 {
				args[i] = ""
			}
			got := in(t, dir, chaosBinary, args...)
			got.want(t, 2)
			if got.errs != c.want+"\n" || got.out != "" {
				t.Errorf("got  %s%swant %s", got.out, got.errs, c.want)
			}
		})
	}
	if after := tree(t, dir); !slices.Equal(before, after) {
		t.Errorf("the disk has changed from %q to %q", before, after)
	}
}

func TestBadSeedInEnvironment(t *testing.T) {
	t.Setenv(seedEnv, "dice")
	got := in(t, t.TempDir(), chaosBinary, "run", "--executions", "1")
	got.want(t, 2)
	if want := "stress: invalid value \"dice\" of $CHAOS_SEED: want a number of at most 64 bits, decimal or 0x and hexadecimal\n"; got.errs != want {
		t.Errorf("got %s, want %s", got.errs, want)
	}
}

// TestPlainBinary: without hook points every command is refused that needs them.
func TestPlainBinary(t *testing.T) {
	dir := t.TempDir()
	for _, args := range []string{"run", "run --for 1s", "run --bogus", "run nobody", "list", "points", "points --json",
		"validate", "validate none", "mutants", "mutants --only nobody", "merge none"} {
		got := in(t, dir, plainBinary, strings.Fields(args)...)
		got.want(t, 2)
		if !strings.HasPrefix(got.errs, "stress: built without -tags chaos: ") ||
			!strings.HasSuffix(got.errs, "; go build -tags chaos ./cmd/stress\n") || got.out != "" {
			t.Errorf("%s: %s%s", args, got.out, got.errs)
		}
	}
	for args, want := range map[string]string{
		"": "stress: no command; want one of ", "rum": "stress: unknown command \"rum\"; did you mean \"run\"?\n",
		"replay": "stress: 0 arguments, want one: ", "replay none": "stress: none: cannot be read: ", "shrink none": "stress: none: cannot be read: ",
		"explain none": "stress: none: cannot be read: ", "test --bogus": "stress: unknown flag --bogus of stress test; ",
		"test --replay none": "stress: --replay: ",
	} {
		got := in(t, dir, plainBinary, strings.Fields(args)...)
		got.want(t, 2)
		if !strings.HasPrefix(got.errs, want) {
			t.Errorf("%s: %s", args, got.errs)
		}
	}
	if got := tree(t, dir); len(got) != 1 {
		t.Errorf("left %q", got)
	}
}

func TestHelpAndVersion(t *testing.T) {
	for _, binary := range []string{chaosBinary, plainBinary} {
		for args, want := range map[string]string{
			"--help": "Usage:", "-h": "Usage:", "help": "Usage:", "help run": "--executions", "run --help": "--executions",
			"--version": "stress version ",
		} {
			got := in(t, t.TempDir(), binary, strings.Fields(args)...)
			got.want(t, 0)
			if strings.Contains(got.out, "stress [flags]") {
				t.Errorf("%s: it cannot be run without a command:\n%s", args, got.out)
			}
			if !strings.Contains(got.out, want) || got.errs != "" {
				t.Errorf("%s: %s%s", args, got.out, got.errs)
			}
		}
	}
}
