package main

import (
	"bufio"
	"fmt"
	"io"
	"net/rpc"
	"net/rpc/jsonrpc"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// delve puts dlv on the PATH, or skips the test.
func delve(t *testing.T) {
	t.Helper()
	if !hasDelve(t) {
		t.Skip("dlv is not installed")
	}
}

// hasDelve puts dlv on the PATH if it is installed.
func hasDelve(t *testing.T) bool {
	t.Helper()
	if _, err := exec.LookPath("dlv"); err == nil {
		return true
	}
	out, err := exec.Command("go", "env", "GOPATH").Output()
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(filepath.SplitList(strings.TrimSpace(string(out)))[0], "bin")
	if _, err := exec.LookPath(filepath.Join(bin, "dlv")); err != nil {
		return false
	}
	t.Setenv("PATH", os.Getenv("PATH")+string(os.PathListSeparator)+bin)
	return true
}

// typed runs a command with what is typed.
func typed(t *testing.T, dir, text, binary string, args ...string) call {
	t.Helper()
	cmd := exec.Command(binary, args...)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(text)
	return finish(t, cmd)
}

var (
	stopped  = regexp.MustCompile(`(?m)^stops before step (\d+), of (main\S*)`)
	selected = regexp.MustCompile(`(?m)^Frame \d+: \S*?(\w+\.go:\d+) `)
	// rowOfTable is a row of a table, with the place of what is done there.
	rowOfTable = regexp.MustCompile(`(?m)^ *(\d+) \|(.*) (m_test\.go:\d+)[ |]*$`)
)

// Catches: a stop before another step, on another goroutine or in another frame than that of the user; one after which
// the execution is another; and a default that is not the step of the order, or of the panic or the race.
func TestDebug(t *testing.T) {
	delve(t)
	woken := mended{"woken", "panic", "", `func TestSend(t *testing.T) {
	c := make(chan int)
	go func() { close(c) }()
	BUG
}
`, "c <- 1", "<-c", ""}
	for _, f := range append(mendedFailures[:4:4], woken) {
		t.Run(f.name, func(t *testing.T) {
			dir, recording := f.record(t, strings.Fields(f.args)...)
			table := in(t, dir, plainBinary, "explain", recording)
			rows := rowOfTable.FindAllStringSubmatch(table.out, -1)
			if len(rows) == 0 {
				t.Fatalf("%d rows:\n%s", len(rows), table.out)
			}
			for _, r := range [][]string{rows[0], rows[len(rows)/2], rows[len(rows)-1]} { // each takes seconds
				got := typed(t, dir, "continue\n", plainBinary, "debug", recording, "--step", r[1])
				got.want(t, 0)
				frame := selected.FindStringSubmatch(got.out)
				if stop := stopped.FindStringSubmatch(got.errs + got.out); stop == nil || stop[1] != r[1] || frame == nil || frame[1] != r[3] {
					t.Errorf("step %s of the table stops at %q, %q:\n%s%s", r[0], stop, frame, got.errs, got.out)
				}
				if !strings.Contains(got.out, "\nas recorded, with an equal trace hash\n") || !strings.Contains(got.out, f.verdict+" in execution ") {
					t.Errorf("step %s: continuing does not end in the recorded %s:\n%s", r[1], f.verdict, got.out)
				}
			}
			got := typed(t, dir, "print 40+2\ngoroutines\ncontinue\n", plainBinary, "debug", recording)
			got.want(t, 0)
			stop := stopped.FindStringSubmatch(got.errs + got.out)
			if stop == nil || !strings.Contains(got.out, "42\n") || !strings.Contains(got.out, "* Goroutine ") {
				t.Fatalf("%s%s", got.errs, got.out)
			}
			if frame, want := selected.FindStringSubmatch(got.out), f.decisive(table.out, rows); frame == nil || frame[1] != want {
				t.Errorf("without --step it stops at %q, want %s:\n%s", frame, want, table.out)
			}
		})
	}
}

// decisive returns the place of the decisive step.
func (f *mended) decisive(explained string, rows [][]string) string {
	if _, order, ok := strings.Cut(explained, "\nfails "); ok {
		if at := regexp.MustCompile(`m_test\.go:\d+`).FindString(order); at != "" {
			return at
		}
	}
	if f.verdict == "data-race" || f.verdict == "panic" { // that is where the bug is
		before, _, _ := strings.Cut(f.source(f.bug), f.bug)
		return fmt.Sprintf("m_test.go:%d", 1+strings.Count(before, "\n"))
	}
	last := "" // of the locks that are taken
	for _, r := range rows {
		if strings.Contains(r[2], ").Lock ") {
			last = r[3]
		}
	}
	return last
}

// Catches: a recording of chaos.Explore or of a scenario that does not stop, or not in the code under test.
func TestDebugOthers(t *testing.T) {
	delve(t)
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	t.Run("explore", func(t *testing.T) {
		dir := t.TempDir()
		write(t, dir, "go.mod", "module example.com/m\n\ngo 1.25\n\nrequire github.com/rouse-go/rouse v0.0.0\n\nreplace github.com/rouse-go/rouse => "+root+"\n")
		copyFile(t, filepath.Join(root, "go.sum"), filepath.Join(dir, "go.sum"))
		write(t, dir, "m_test.go", `package m

import (
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/hooks/sync"
)

func TestOrder(t *testing.T) {
	t.TempDir()
	chaos.Explore(t, func(c *chaos.C) {
		var a, b sync.Mutex
		c.Go(func() {
			a.Lock()
			b.Lock()
			b.Unlock()
			a.Unlock()
		})
		c.Go(func() {
			b.Lock()
			a.Lock()
			a.Unlock()
			b.Unlock()
		})
	})
}
`)
		cmd := exec.Command("go", "test", "-mod=mod", "-tags", "chaos", ".")
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err == nil {
			t.Fatalf("it passes:\n%s", out)
		}
		files, _ := filepath.Glob(filepath.Join(dir, "testdata/chaos/*/*.rouse"))
		if len(files) != 1 {
			t.Fatalf("%q", files)
		}
		got := typed(t, dir, "break m_test.go:12\nnext\ncontinue\n", plainBinary, "debug", files[0])
		if frames := places(got.out); !slices.Equal(frames, []string{"m_test.go:15", "m_test.go:16"}) && !slices.Equal(frames, []string{"m_test.go:21", "m_test.go:22"}) ||
			strings.Contains(got.out, "> [Breakpoint 1]") || !strings.Contains(got.out, ", by the recorded trace: ") {
			t.Errorf("%q:\n%s%s", frames, got.errs, got.out)
		}
		if before, _, _ := strings.Cut(got.out, "Type 'help'"); !strings.HasPrefix(before, "step | main") {
			t.Errorf("the debugged process looks for the decisive step:\n%s", got.out)
		}
		quits(t, dir, files[0])
	})
	t.Run("scenario", func(t *testing.T) {
		dir := t.TempDir()
		file := droppedRecording(t, dir)
		got := typed(t, root, "next\ncontinue\n", chaosBinary, "debug", file, "--step", "30")
		if frame := places(got.out); !stopped.MatchString(got.errs+got.out) || len(frame) != 2 ||
			!strings.Contains(got.out, "as recorded, with an equal trace hash: ") || strings.Contains(got.out, "cannot be built") {
			t.Errorf("%q:\n%s%s", frame, got.errs, got.out)
		}
	})
}

// Catches: a test whose first execution in a process is another one than those that follow, of which one of the latter
// is debugged, or looked at for the step.
func TestDebugFirst(t *testing.T) {
	delve(t)
	t.Setenv("GOFLAGS", "")
	dir := t.TempDir()
	write(t, dir, "go.mod", "module example.com/m\n\ngo 1.25\n")
	write(t, dir, "m_test.go", `package m

import (
	"sync"
	"testing"
)

var once sync.Once

func TestOnce(t *testing.T) {
	once.Do(func() {
		var a, b sync.Mutex
		var wg sync.WaitGroup
		wg.Go(func() { a.Lock(); b.Lock(); b.Unlock(); a.Unlock() })
		wg.Go(func() { b.Lock(); a.Lock(); a.Unlock(); b.Unlock() })
		wg.Wait()
	})
}
`)
	in(t, dir, plainBinary, "test", "--seed", "1").want(t, 1)
	recorded, _ := filepath.Glob(filepath.Join(dir, "testdata/chaos/TestOnce/*.rouse"))
	if len(recorded) != 1 || !strings.Contains(readFile(t, recorded[0]), "\noptions: first\n") {
		t.Fatalf("recordings %q, want one of a first execution", recorded)
	}
	rows := rowOfTable.FindAllStringSubmatch(in(t, dir, plainBinary, "explain", recorded[0]).out, -1)
	if len(rows) == 0 {
		t.Fatal("it has no steps")
	}
	last := rows[len(rows)-1]
	for _, args := range [][]string{{}, {"--step", "2"}, {"--step", last[1]}} {
		got := typed(t, dir, "continue\n", plainBinary, append([]string{"debug", recorded[0]}, args...)...)
		if !strings.Contains(got.out, "\nas recorded, with an equal trace hash\n") || !stopped.MatchString(got.errs+got.out) {
			t.Errorf("%q: not the recorded execution:\n%s%s", args, got.errs, got.out)
		}
	}
	if got := in(t, dir, plainBinary, "debug", recorded[0], "--step", "1000"); !strings.Contains(got.errs, "the last step of the execution is "+last[1]+"\n") {
		t.Errorf("the last step is %s, and it says\n%s", last[1], got.errs)
	}
}

// Catches: what a test had made in the folder for temporary files when its debugger, or the run that looks for the step,
// ended it.
func TestDebugLeavesNothing(t *testing.T) {
	delve(t)
	t.Setenv("GOFLAGS", "")
	module := t.TempDir()
	for name, text := range killedFiles {
		write(t, module, name, text)
	}
	in(t, module, plainBinary, "test", "--run", "TestDeadlock", "--seed", "1").want(t, 1)
	recorded, _ := filepath.Glob(filepath.Join(module, "testdata/chaos/TestDeadlock/*.rouse"))
	if len(recorded) != 1 {
		t.Fatalf("recordings %q, want one", recorded)
	}
	quits(t, module, recorded[0])
	quits(t, module, recorded[0], "--step", "2")
}

// quits debugs a recording of a test that calls TempDir, which is left at the step, and fails if something is left.
func quits(t *testing.T, dir, recording string, args ...string) {
	t.Helper()
	tmp := t.TempDir()
	cmd := exec.Command(plainBinary, append([]string{"debug", recording}, args...)...)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader("quit\n")
	cmd.Env = append(os.Environ(), "TMPDIR="+tmp)
	got := finish(t, cmd)
	got.want(t, 0)
	if left := tree(t, tmp); !stopped.MatchString(got.errs+got.out) || len(left) != 1 {
		t.Errorf("left %q:\n%s%s", left, got.errs, got.out)
	}
}

const droppedJob = `version: 1
scenarios:
  - name: dropped
    about: A notification is dropped.
    mode: control
    strategy: pct(3)
    pool: {workers: [1], jec-bits: [1, 32], rounds: 0}
    workload: inject
    plan: [{at: sleep/wake-notify, fault: drop, count: 1}]
    expect: lost-wakeup
`

// warmed matches what a program says before it stops.
var warmed = regexp.MustCompile(`(?m)^an execution that warms up begins.*\n(?s:.*)^the recorded execution begins\n(?s:.*)^stops before step `)

// Catches: an address that nothing serves; a stop that an editor does not see as one; an execution before the recorded
// one, in which breakpoints fire, without notice.
func TestDebugServes(t *testing.T) {
	delve(t)
	dir, recording := mendedFailures[0].record(t)
	text := strings.Replace(readFile(t, recording), "\noptions: first\n", "\n", 1) // of an execution after another
	write(t, dir, "m.rouse", regexp.MustCompile(`(?m)^end .*$`).ReplaceAllString(text, "end"))
	cmd := exec.Command(plainBinary, "debug", "m.rouse", "--listen", "127.0.0.1:0")
	cmd.Dir = dir
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = cmd.Stdout
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines, address := bufio.NewScanner(out), ""
	for address == "" && lines.Scan() {
		text += lines.Text() + "\n"
		_, address, _ = strings.Cut(lines.Text(), "listening at: ")
	}
	if address == "" {
		t.Fatalf("%v\n%s", cmd.Wait(), text)
	}
	client, err := jsonrpc.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	rest := make(chan string)
	go func() {
		text := ""
		for lines.Scan() {
			text += lines.Text() + "\n"
		}
		rest <- text
	}()
	type frame struct {
		File     string
		Line     int
		Function struct{ Name string }
	}
	goOn := func() (exited bool) {
		var reply struct{ State struct{ Exited bool } }
		command(t, client, "Command", map[string]any{"name": "continue"}, &reply)
		return reply.State.Exited
	}
	if goOn() {
		t.Fatal("it does not stop")
	}
	var stack struct{ Locations []frame }
	command(t, client, "Stacktrace", map[string]any{"Id": -1, "Depth": 50}, &stack)
	if !slices.ContainsFunc(stack.Locations, func(f frame) bool {
		return strings.HasPrefix(f.Function.Name, "example.com/m.TestOrder") && filepath.Base(f.File) == "m_test.go"
	}) {
		t.Errorf("the goroutine that stops is no task of the test: %+v", stack)
	}
	if !goOn() {
		t.Error("it stops twice")
	}
	client.Call("RPCServer.Detach", map[string]any{"Kill": true}, new(struct{})) //nolint:errcheck // it ends, and the connection
	client.Close()
	if text := <-rest; !strings.Contains(text, "as recorded, with an equal trace hash") || !warmed.MatchString(text) {
		t.Errorf("%s", text)
	}
	cmd.Wait() //nolint:errcheck // how Delve ends a process that has exited is its own
}

// command calls Delve.
func command(t *testing.T, client *rpc.Client, name string, args, reply any) {
	t.Helper()
	if err := client.Call("RPCServer."+name, args, reply); err != nil {
		t.Fatal(fmt.Errorf("%s: %w", name, err))
	}
}

// Catches: a step that the execution does not have, of which only the debuggee would say so; another last step than the
// debuggee reaches.
func TestDebugRefusesSteps(t *testing.T) {
	refused := regexp.MustCompile(`^(?s:.*\n)?stress: --step 1000: the last step of the execution is (\d+)\n$`)
	t.Run("test", func(t *testing.T) {
		t.Parallel()
		dir, file := mendedFailures[0].record(t)
		got := in(t, dir, plainBinary, "debug", file, "--step", "1000")
		m := refused.FindStringSubmatch(got.errs)
		if got.code != 2 || m == nil || got.out != "" {
			t.Fatalf("exit code %d: %s%s", got.code, got.errs, got.out)
		}
		last, _ := strconv.Atoi(m[1])
		for step, want := range map[int]int{last: 0, last + 1: 2} {
			cmd := exec.Command(plainBinary, "debug", file, "--step", strconv.Itoa(step))
			cmd.Dir, cmd.Env = dir, append(os.Environ(), "PATH="+withoutDelve(t))
			finish(t, cmd).want(t, want)
		}
	})
	t.Run("scenario", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		file := droppedRecording(t, dir)
		if got := in(t, dir, chaosBinary, "debug", file, "--step", "1000"); got.code != 2 || !refused.MatchString(got.errs) {
			t.Errorf("exit code %d: %s%s", got.code, got.errs, got.out)
		}
	})
}

// withoutDelve is a PATH with the go command and without Delve.
func withoutDelve(t *testing.T) string {
	t.Helper()
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	if err := os.Symlink(goTool, filepath.Join(bin, "go")); err != nil {
		t.Fatal(err)
	}
	return strings.Join([]string{bin, "/usr/bin", "/bin"}, string(os.PathListSeparator))
}

// Catches: without Delve, a command that is not printed, or does not run, or whose files are gone, or go while it runs.
func TestDebugPrints(t *testing.T) {
	delve(t)
	with := os.Getenv("PATH")
	dir, recording := mendedFailures[0].record(t)
	t.Setenv("PATH", withoutDelve(t))
	t.Setenv("TMPDIR", t.TempDir())
	got := in(t, dir, plainBinary, "debug", recording, "--step", "3")
	got.want(t, 0)
	hint, printed, _ := strings.Cut(got.out, "\n")
	if !strings.Contains(hint, "go install github.com/go-delve/delve/cmd/dlv@latest") {
		t.Fatalf("%s%s", got.errs, got.out)
	}
	t.Setenv("PATH", with)
	cmd := exec.Command("sh", "-c", printed)
	cmd.Dir = dir
	typing, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = cmd.Stdout
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines, text := bufio.NewScanner(out), ""
	for !stopped.MatchString(text) && lines.Scan() {
		text += lines.Text() + "\n"
	}
	in(t, dir, plainBinary, "clean").want(t, 0)
	if left := tree(t, os.TempDir()); len(left) < 2 {
		t.Errorf("another command has removed its files: %q", left)
	}
	io.WriteString(typing, "continue\n") //nolint:errcheck // then it does not end as recorded
	typing.Close()
	for lines.Scan() {
		text += lines.Text() + "\n"
	}
	cmd.Wait() //nolint:errcheck // the output says more
	if !strings.Contains(text, "\nas recorded, ") {
		t.Errorf("%s\n%s", printed, text)
	}
	in(t, dir, plainBinary, "clean").want(t, 0)
	if left := tree(t, os.TempDir()); len(left) != 1 {
		t.Errorf("left %q", left)
	}
}

// droppedRecording runs a scenario in the folder that drops a notification, and returns the recording of the lost
// wakeup, shrunk.
func droppedRecording(t *testing.T, dir string) string {
	t.Helper()
	write(t, dir, "dropped.yaml", strings.Replace(droppedJob, "expect: lost-wakeup", "expect: pass", 1))
	in(t, dir, chaosBinary, "run", "--file", "dropped.yaml", "--seed", "1", "--executions", "20", "--out", "out").want(t, 1)
	files, _ := filepath.Glob(filepath.Join(dir, "out/*.min.rouse"))
	if len(files) != 1 {
		t.Fatalf("recordings %q, want one", files)
	}
	return files[0]
}
