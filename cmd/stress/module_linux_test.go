package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"encoding/xml"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// moduleOf writes a module with these test files, by package, and returns its folder.
func moduleOf(t *testing.T, tests map[string]string) string {
	t.Helper()
	t.Setenv("GOFLAGS", "")
	dir := t.TempDir()
	write(t, dir, "go.mod", "module example.com/m\n\ngo 1.25\n")
	for pkg, text := range tests {
		if err := os.Mkdir(filepath.Join(dir, pkg), 0o700); err != nil {
			t.Fatal(err)
		}
		write(t, dir, filepath.Join(pkg, pkg+"_test.go"), "package "+pkg+"\n\nimport \"testing\"\n\n"+text)
	}
	return dir
}

const (
	passingTest = "func TestPasses(t *testing.T) { c := make(chan int); go func() { c <- 1 }(); <-c }\n"
	failingTest = "func TestFails(t *testing.T) { c := make(chan int, 1); go func() { c <- 1 }(); select { case <-c: default: t.Error(\"empty\") } }\n"
	brokenTest  = "func TestBroken(t *testing.T) { undefined() }\n"
	unrunTest   = "func TestMain(m *testing.M) {}\n\nfunc TestUnrun(t *testing.T) {}\n"
	slowTest    = "func TestSlow(t *testing.T) { for range 10_000 { c := make(chan int, 1); go func() { c <- 1 }(); <-c } }\n"
)

// lineKinds are the kinds of the lines of a JSON report, in order, each once.
func lineKinds(t *testing.T, dir, name string) (all []string) {
	t.Helper()
	for line := range strings.Lines(readFile(t, filepath.Join(dir, name))) {
		var l struct{ Kind string }
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
		if len(all) == 0 || all[len(all)-1] != l.Kind {
			all = append(all, l.Kind)
		}
	}
	return all
}

// TestModuleExitCodes: a module's own tests in a build without hook points: the exit code says what came
// of them, and the reports are written.
func TestModuleExitCodes(t *testing.T) {
	for tests, want := range map[string]struct {
		code  int
		kinds string
	}{
		"passing":                {0, "suite test end"},
		"failing passing":        {1, "suite failure test end"},
		"passing broken":         {2, "suite package test end"},
		"failing broken passing": {1, "suite package failure test end"},
	} {
		t.Run(tests, func(t *testing.T) {
			files := map[string]string{}
			for pkg := range strings.FieldsSeq(tests) {
				files[pkg] = map[string]string{"passing": passingTest, "failing": failingTest, "broken": brokenTest}[pkg]
			}
			dir := moduleOf(t, files)
			got := in(t, dir, plainBinary, "test", "./...", "--executions", "200", "--seed", "1", "--json", "j", "-junit=x.xml")
			got.want(t, want.code)
			if all := strings.Join(lineKinds(t, dir, "j"), " "); all != want.kinds {
				t.Errorf("lines %s, want %s", all, want.kinds)
			}
			if err := xml.Unmarshal([]byte(readFile(t, filepath.Join(dir, "x.xml"))), &struct{}{}); err != nil {
				t.Error(err)
			}
			if strings.Contains(tests, "broken") != strings.Contains(got.out, "undefined: undefined") {
				t.Errorf("what the compiler says: %s", got.out)
			}
		})
	}
}

// Catches: a TestMain that does not run its tests, and is taken for bad input, with --uncontrolled fail, or for a failure
// without.
func TestModuleWithoutRun(t *testing.T) {
	for _, x := range []struct {
		pkgs, args string
		code       int
	}{
		{"unrun passing", "", 0}, {"unrun passing", "--uncontrolled=fail", 1},
		{"unrun", "", 2}, {"unrun", "--uncontrolled=fail", 1},
		{"unrun broken", "--uncontrolled=fail", 1}, {"unrun broken", "", 2},
	} {
		files := map[string]string{}
		for pkg := range strings.FieldsSeq(x.pkgs) {
			files[pkg] = map[string]string{"passing": passingTest, "unrun": unrunTest, "broken": brokenTest}[pkg]
		}
		got := in(t, moduleOf(t, files), plainBinary, append([]string{"test", "./...", "--executions", "3"}, strings.Fields(x.args)...)...)
		if got.want(t, x.code); !strings.Contains(got.out, "TestMain does not run the tests") {
			t.Errorf("%+v: %s", x, got.out)
		}
	}
}

// Catches: a test of which all executions are known, which goes on; one that says so though something was drawn, may be
// at another time, or differs in a process of its own; and one that ends early though new orders come. With
// --executions there are as many.
func TestModuleDefault(t *testing.T) {
	dir := moduleOf(t, map[string]string{"several": "import (\n\t\"math/rand\"\n\t\"os\"\n\t\"sync\"\n\t\"time\"\n)\n\n" +
		"func TestOne(t *testing.T) { t.Log(len(t.Name())) }\n" + passingTest +
		"func TestFile(t *testing.T) { if err := os.WriteFile(t.TempDir()+\"/a\", nil, 0o600); err != nil { t.Fatal(err) } }\n" +
		"func TestDraws(t *testing.T) { rand.Int() }\n" +
		"func TestTime(t *testing.T) { go func() { time.Sleep(1) }() }\n" +
		"var calls int\n\nfunc TestState(t *testing.T) { calls++ }\n" +
		"func TestMany(t *testing.T) { var mu sync.Mutex; for range 8 { go func() { mu.Lock(); defer mu.Unlock() }() } }\n" +
		"func TestFails(t *testing.T) { var mu sync.Mutex; var n int; go func() { mu.Lock(); defer mu.Unlock(); n++ }(); go func() { mu.Lock(); defer mu.Unlock(); n *= 2 }(); " +
		"mu.Lock(); defer mu.Unlock(); if n == 2 { t.Error(n) } }\n",
	})
	const all = "dpor has explored all there is: "
	want := map[string]string{
		"TestOne": "1 execution, 1 distinct, 1 step, " + all + "one schedule, ", "TestPasses": all + "2 executions (len of a channel",
		"TestFile": "1 execution, 1 distinct, ", "TestDraws": "256 executions, 1 distinct (next new: ",
		"TestTime": "256 executions, ", "TestState": "256 executions, 1 distinct", "TestMany": "1,000 executions, ", "TestFails": "wrong-result in execution 3, 4 executions",
	}
	got := in(t, dir, plainBinary, "test", "./...", "--seed", "1", "--json", "j")
	got.want(t, 1)
	out := strings.Join(strings.Fields(got.out), " ")
	for test, text := range want {
		if !strings.Contains(out, "example.com/m/several "+test+" "+text) && (test != "TestPasses" || !strings.Contains(out, text)) {
			t.Errorf("%s: want %q", test, text)
		}
	}
	if t.Failed() || !strings.Contains(out, "at most 1,000 executions of each test") || !strings.Contains(readFile(t, filepath.Join(dir, "j")), `"executions":1000,"at_most":true`) {
		t.Error(got.out)
	}
	for _, x := range []struct{ args, text string }{
		{"--executions 300 -run TestOne", "TestOne 300 executions, 1 distinct"}, {"--for 10m -run TestOne", "TestOne 1 execution, 1 distinct, 1 step, " + all + "one schedule"},
		{"-race -run TestPasses", all + "2 executions (len of a channel is no operation)"}, {"--strategy random -run TestOne", all + "one schedule"},
	} {
		got := in(t, dir, plainBinary, append([]string{"test", "./..."}, strings.Fields(x.args)...)...)
		if got.want(t, 0); !strings.Contains(strings.Join(strings.Fields(got.out), " "), x.text) {
			t.Errorf("%s: want %q, got %s", x.args, x.text, got.out)
		}
	}
}

// Catches: a search that says that it has explored all there is of a test that the garbage collector may change, whose
// effects on weak pointers and finalizers are no operations.
func TestModuleCollects(t *testing.T) {
	for text, all := range map[string]bool{"runtime.GC(); ": false, "": true} {
		dir := moduleOf(t, map[string]string{"weak": "import (\n\t\"runtime\"\n\t\"weak\"\n)\n\nvar _ = runtime.GC\n\n" +
			"func TestWeak(t *testing.T) { p := weak.Make(new([8]int)); go func() { " + text + "}(); p.Value() }\n"})
		got := in(t, dir, plainBinary, "test", "./...", "--strategy", "dpor", "--clock", "lazy")
		got.want(t, 0)
		if strings.Contains(got.out, "dpor has explored all there is: ") != all || strings.Contains(strings.Join(strings.Fields(got.out), " "), "not all there is, with this out of control: garbage collection") == all {
			t.Errorf("%q: %s", text, got.out)
		}
	}
}

// Catches: likewise, of a test whose package has mapped memory that others see before any execution.
func TestModuleMaps(t *testing.T) {
	for mode, all := range map[string]bool{"SHARED": false, "PRIVATE": true} {
		dir := moduleOf(t, map[string]string{"mapped": "import \"syscall\"\n\nvar page, _ = syscall.Mmap(-1, 0, 1, syscall.PROT_READ, syscall.MAP_ANON|syscall.MAP_" + mode + ")\n\n" +
			"func TestMapped(t *testing.T) { go func() { _ = page[0] }() }\n"})
		got := in(t, dir, plainBinary, "test", "./...", "--strategy", "dpor", "--clock", "lazy")
		got.want(t, 0)
		if strings.Contains(got.out, "dpor has explored all there is: ") != all || strings.Contains(strings.Join(strings.Fields(got.out), " "), "not all there is, with this out of control: shared mapping") == all {
			t.Errorf("%s: %s", mode, got.out)
		}
	}
}

// TestModuleRecordings: replay, shrink and explain take the recording of a module's own test, and the
// command that is printed repeats it.
func TestModuleRecordings(t *testing.T) {
	dir := moduleOf(t, map[string]string{"failing": failingTest})
	got := in(t, dir, plainBinary, "test", "./failing", "--seed", "1")
	got.want(t, 1)
	_, reproduce, _ := strings.Cut(got.out, "reproduce: ")
	reproduce, _, _ = strings.Cut(reproduce, "\n")
	cmd := exec.Command("sh", "-c", reproduce)
	cmd.Dir = dir
	again := finish(t, cmd)
	again.want(t, 1)
	if !strings.Contains(again.out, "1 of 1 reproduced wrong-result, with equal trace hash ") || !strings.Contains(again.out, "failing_test.go:5") {
		t.Errorf("%s: %s%s", reproduce, again.out, again.errs)
	}
	files, err := filepath.Glob(filepath.Join(dir, "failing", "testdata", "chaos", "TestFails", "*.rouse"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%q, %v", files, err)
	}
	elsewhere := t.TempDir() // the module is found by the recording
	for args, want := range map[string]struct {
		code int
		text string
	}{
		"replay --times 2": {1, "\n2 of 2 reproduced wrong-result, with equal trace hash "},
		"explain":          {0, "\nschedule: no decision differs from the default\n"},
		"shrink":           {0, ".min.rouse\n"},
	} {
		got := in(t, elsewhere, plainBinary, append(strings.Fields(args), files[0])...)
		got.want(t, want.code)
		if !strings.HasPrefix(got.out, "example.com/m/failing TestFails, execution ") || !strings.Contains(got.out, want.text) {
			t.Errorf("%s: %s%s", args, got.out, got.errs)
		}
	}
}

// TestInterruptedModule: after a signal the results until then are reported.
func TestInterruptedModule(t *testing.T) {
	dir := moduleOf(t, map[string]string{"first": "func TestSkips(t *testing.T) { t.Skip() }\n", "slow": slowTest})
	for signal, code := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143} {
		cmd := exec.Command(plainBinary, "test", "./...", "--plain", "--executions", "1000000000", "--json", "j")
		cmd.Dir = dir
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		var errs bytes.Buffer
		cmd.Stderr = &errs
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		text := ""
		for lines.Scan() {
			if text += lines.Text() + "\n"; strings.HasPrefix(lines.Text(), "skip ") { // the other one has begun, or will
				cmd.Process.Signal(signal)
			}
		}
		cmd.Wait() //nolint:errcheck // the exit code says more

		// A build that takes long is reported on stderr, too.
		if got := cmd.ProcessState.ExitCode(); got != code || !strings.Contains(text, "\ninterrupted: ") || strings.Contains(errs.String(), "stress: ") {
			t.Errorf("exit code %d, want %d: %s%s", got, code, text, &errs)
		}
		if all := lineKinds(t, dir, "j"); all[len(all)-1] != "end" {
			t.Errorf("lines %q", all)
		}
	}
	if got := tree(t, dir); len(got) != 7 { // two folders with a file each, go.mod, the report
		t.Errorf("left %q", got)
	}
}
