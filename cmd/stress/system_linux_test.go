package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestFullDisk: trouble that comes later is the tool's failure.
func TestFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	dir := t.TempDir()
	write(t, dir, "scenarios.yaml", scenarioFile)
	args := []string{"run", "--file", "scenarios.yaml", "--executions", "1", "passes"}

	got := in(t, dir, chaosBinary, append(args, "--json", "/dev/full")...)
	got.want(t, 3)
	if want := "stress: --json: write /dev/full: no space left on device\n"; got.errs != want {
		t.Errorf("got %s, want %s", got.errs, want)
	}
	for _, args := range [][]string{args, {"list"}, {"points"}, {"validate"},
		{"--version"}, {"--help"}, {"run", "--help"}, {"help", "run"}} {
		cmd := exec.Command(chaosBinary, args...)
		cmd.Dir, cmd.Stdout = dir, full
		got := finish(t, cmd)
		got.want(t, 3)
		if want := "stress: write /dev/stdout: no space left on device\n"; !strings.HasSuffix(got.errs, want) || strings.Count(got.errs, "no space") != 1 {
			t.Errorf("%q: got %s, want %s", args, got.errs, want)
		}
	}
}

// TestReportsOnFullDisk: a report that does not fit leaves what was there, and nothing of itself.
func TestReportsOnFullDisk(t *testing.T) {
	for flag, name := range map[string]string{"--json": "j", "--junit": "u.xml", "--report": "r.html", "--report ": "r.md"} {
		dir := t.TempDir()
		write(t, dir, "scenarios.yaml", scenarioFile)
		write(t, dir, name, "old")
		cmd := exec.Command("sh", "-c", "ulimit -f 1; exec "+chaosBinary+" run --file scenarios.yaml --executions 1 --quiet "+flag+" "+name+" passes never")
		cmd.Dir = dir
		got := finish(t, cmd)
		got.want(t, 3)
		if !strings.HasPrefix(got.errs, "stress: "+strings.TrimSpace(flag)+": write ") || !strings.HasSuffix(got.errs, ": file too large\n") || strings.Count(got.errs, "\n") != 1 {
			t.Errorf("got %s", got.errs)
		}
		if left := tree(t, dir); len(left) != 3 || readFile(t, filepath.Join(dir, name)) != "old" {
			t.Errorf("left %q", left)
		}

		got = in(t, dir, chaosBinary, "run", "--file", "scenarios.yaml", "--executions", "1", strings.TrimSpace(flag), "/proc/"+name, "passes")
		got.want(t, 3)
		if want := "stress: " + strings.TrimSpace(flag) + " /proc/" + name + ": cannot write there: no such file or directory\n"; got.errs != want || got.out != "" {
			t.Errorf("got %s%s, want %s", got.out, got.errs, want)
		}
	}
}

// TestUnwritablePages: a folder for pages that cannot be made or written is refused before anything runs.
func TestUnwritablePages(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "scenarios.yaml", scenarioFile)
	write(t, dir, "file", "")
	for name, want := range map[string]string{"/proc/rouse/": "/proc: cannot write there: no such file or directory", "file/": "file: not a folder", "file/pages/": "file/pages: not a directory"} {
		for _, args := range [][]string{{chaosBinary, "run", "--file", "scenarios.yaml", "passes"}, {plainBinary, "test", "./..."}} {
			got := in(t, dir, args[0], append(args[1:], "--executions", "1", "--report", name)...)
			if got.code != 2 || got.errs != "stress: --report "+want+"\n" || got.out != "" {
				t.Errorf("%s: exit code %d: %s%s", name, got.code, got.errs, got.out)
			}
		}
	}
	if left := tree(t, dir); len(left) != 3 {
		t.Errorf("left %q", left)
	}
}

// TestFullSummary: GitHub's file of the step's summary is a report like others.
func TestFullSummary(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "scenarios.yaml", scenarioFile)
	cmd := exec.Command(chaosBinary, "run", "--file", "scenarios.yaml", "--executions", "1", "passes")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GITHUB_ACTIONS=true", "GITHUB_STEP_SUMMARY=/dev/full")
	got := finish(t, cmd)
	got.want(t, 3)
	if want := "stress: $GITHUB_STEP_SUMMARY: /dev/full: no space left on device\n"; got.errs != want {
		t.Errorf("got %s, want %s", got.errs, want)
	}
}

// TestUnwritableOut: a folder that cannot be written to is no usage error.
func TestUnwritableOut(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "scenarios.yaml", scenarioFile)
	for _, resume := range []string{"--resume", "--resume=false"} {
		got := in(t, dir, chaosBinary, "run", "--file", "scenarios.yaml", "--executions", "1", "--out", "/proc/rouse", "--json", "report", resume, "passes")
		got.want(t, 3)
		if !strings.HasPrefix(got.errs, "stress: --out /proc: cannot write there: ") || strings.Count(got.errs, "\n") != 1 || got.out != "" {
			t.Errorf("got %s%s", got.out, got.errs)
		}
	}
	if left := tree(t, dir); len(left) != 2 {
		t.Errorf("left %q", left)
	}
}

// children counts the processes that run the binary, itself included.
func children(t *testing.T, binary string) (n int) {
	t.Helper()
	links, err := filepath.Glob("/proc/[0-9]*/exe")
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range links {
		if exe, err := os.Readlink(l); err == nil && exe == binary {
			n++
		}
	}
	return n
}

// output is what a program writes to its standard output.
type output struct {
	*bufio.Reader
	io.Closer
}

// longRun starts a campaign that would take an hour, by another program if one is
// given, and returns when a child of it runs.
func longRun(t *testing.T, binary, dir string, by ...string) (*exec.Cmd, output) {
	t.Helper()
	words := append(by, binary, "run", "--for", "1h", "--json", "report", "window-registered", "window-fenced")
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir = dir
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	out := output{bufio.NewReader(pipe), pipe}
	first, err := out.ReadString('\n')
	if err != nil || !strings.HasPrefix(first, "seed 0x") {
		t.Errorf("%v, %q", err, first)
	}
	for children(t, binary) < 2 {
		runtime.Gosched()
	}
	return cmd, out
}

// ownCopy is a binary that no other test runs.
func ownCopy(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "stress")
	copyFile(t, chaosBinary, path)
	return path
}

// TestInterruptedPrintsHowToContinue: an interrupted campaign with a journal can be resumed.
func TestInterruptedPrintsHowToContinue(t *testing.T) {
	cmd := exec.Command(chaosBinary, "run", "--for", "1h", "--out", "out", "window-registered")
	var errs strings.Builder
	cmd.Dir, cmd.Stderr = t.TempDir(), &errs
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	out := bufio.NewReader(pipe)
	if _, err := out.ReadString('\n'); err != nil { // it runs, and receives signals
		t.Error(err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	io.Copy(io.Discard, out) //nolint:errcheck // its end is what counts
	cmd.Wait()               //nolint:errcheck // the exit code says it
	if code := cmd.ProcessState.ExitCode(); code != 130 || !strings.HasSuffix(errs.String(), "to continue: the same command with --resume and --out out\n") {
		t.Errorf("exit code %d, and it said %s", code, &errs)
	}
}

func TestSignals(t *testing.T) {
	for s, code := range map[os.Signal]int{os.Interrupt: 130, syscall.SIGTERM: 143, syscall.SIGHUP: 129} {
		t.Run(s.String(), func(t *testing.T) {
			binary, dir := ownCopy(t), t.TempDir()
			cmd, out := longRun(t, binary, dir)
			if err := cmd.Process.Signal(s); err != nil {
				t.Fatal(err)
			}
			var text strings.Builder
			out.WriteTo(&text)
			cmd.Wait()
			if got := cmd.ProcessState.ExitCode(); got != code {
				t.Errorf("exit code %d, want %d", got, code)
			}
			if !strings.Contains(text.String(), "\ninterrupted: ") {
				t.Errorf("got %s", &text)
			}
			report, err := os.ReadFile(filepath.Join(dir, "report"))
			if err != nil {
				t.Fatal(err)
			}
			if k := kinds(t, string(report)); k[len(k)-1] != "end" {
				t.Errorf("the report has %q", k)
			}
			if got := tree(t, dir); len(got) != 2 {
				t.Errorf("left %q", got)
			}
			if n := children(t, binary); n > 0 {
				t.Errorf("%d children live on", n)
			}
		})
	}
}

// TestSignalTwice: timeout(1) sends its signal to the process, and again to its group. The report is complete all the same.
func TestSignalTwice(t *testing.T) {
	for binary := ownCopy(t); ; {
		if took := signalTwice(t, binary); took < 200*time.Millisecond { // otherwise they were two requests
			return
		}
	}
}

// signalTwice returns how long it took to send the signals. What comes of them is checked if that was not long.
func signalTwice(t *testing.T, binary string) (took time.Duration) {
	dir := t.TempDir()
	cmd, out := longRun(t, binary, dir)
	began := time.Now()
	for range 2 {
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		took = time.Since(began)
		time.Sleep(time.Millisecond) // or else it may be one signal
	}
	var text strings.Builder
	out.WriteTo(&text) //nolint:errcheck // its end says more
	cmd.Wait()         //nolint:errcheck // so does the exit code
	if took >= 200*time.Millisecond {
		return took
	}
	report, err := os.ReadFile(filepath.Join(dir, "report"))
	if err != nil {
		t.Fatal(err)
	}
	if k := kinds(t, string(report)); cmd.ProcessState.ExitCode() != 143 || k[len(k)-1] != "end" || !strings.Contains(text.String(), "\ninterrupted: ") {
		t.Errorf("exit code %d, the report has %q, %s", cmd.ProcessState.ExitCode(), k, &text)
	}
	return took
}

// TestHangUp: the terminal is closed, SIGHUP comes twice, and nothing reads the output any
// more. The report is complete all the same.
func TestHangUp(t *testing.T) {
	dir := t.TempDir()
	cmd, out := longRun(t, ownCopy(t), dir)
	for range 2 {
		if err := cmd.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	if got := cmd.ProcessState.ExitCode(); got != 129 {
		t.Errorf("exit code %d, want 129", got)
	}
	report, err := os.ReadFile(filepath.Join(dir, "report"))
	if err != nil {
		t.Fatal(err)
	}
	if k := kinds(t, string(report)); k[len(k)-1] != "end" {
		t.Errorf("the report has %q", k)
	}
}

// TestNohup: a program that ignores SIGHUP survives its terminal.
func TestNohup(t *testing.T) {
	binary := ownCopy(t)
	cmd, out := longRun(t, binary, t.TempDir(), "sh", "-c", `trap "" HUP; exec "$@"`, "nohup")
	for _, s := range []os.Signal{syscall.SIGHUP, syscall.SIGTERM} {
		if err := cmd.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
	}
	io.Copy(io.Discard, out) //nolint:errcheck // any end will do
	cmd.Wait()
	if got := cmd.ProcessState.ExitCode(); got != 143 {
		t.Errorf("exit code %d, want 143", got)
	}
}

// TestKilledParent: a child does not outlive a parent that cannot end it.
func TestKilledParent(t *testing.T) {
	binary := ownCopy(t)
	cmd, _ := longRun(t, binary, t.TempDir())
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	for children(t, binary) > 0 {
		runtime.Gosched()
	}
}
