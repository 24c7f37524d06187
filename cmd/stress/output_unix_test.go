//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// unwritable runs the program in a folder with each kind of standard output that cannot be written.
func unwritable(t *testing.T, dir string, args ...string) map[string]call {
	t.Helper()
	calls := map[string]call{}
	anew := func() { os.Remove(filepath.Join(dir, "shorter")) } // what shrink may have written
	anew()
	if slices.Contains(args, "-") { // otherwise it cannot be distinguished from an unwanted null device
		closed := exec.Command("sh", append([]string{"-c", `exec "$0" "$@" >&-`, chaosBinary}, args...)...)
		closed.Dir = dir
		calls["closed"] = finish(t, closed)
	}

	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	reader.Close() // no reader
	anew()
	broken := exec.Command(chaosBinary, args...)
	broken.Dir, broken.Stdout = dir, writer
	calls["broken pipe"] = finish(t, broken)

	if runtime.GOOS == "linux" || runtime.GOOS == "freebsd" || runtime.GOOS == "netbsd" {
		file, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		anew()
		full := exec.Command(chaosBinary, args...)
		full.Dir, full.Stdout = dir, file
		calls["no space"] = finish(t, full)
	}
	return calls
}

// TestUnwritableOutput: whatever a command was asked to print and could not is the tool's failure, exit
// code 3, with the reason on one line.
func TestUnwritableOutput(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "scenarios.yaml", scenarioFile)
	in(t, dir, chaosBinary, "run", "controlled-dropped-job", "--executions", "50", "--out", "control", "--keep-controls").want(t, 0)
	in(t, dir, chaosBinary, "run", "--file", "scenarios.yaml", "--executions", "1", "--out", "native", "fails").want(t, 1)
	in(t, dir, chaosBinary, "run", "--file", "scenarios.yaml", "--executions", "1", "--seed", "1", "--shard", "0/1", "--json", "report", "passes").want(t, 0)
	recording := func(folder string) string {
		files, err := filepath.Glob(filepath.Join(dir, folder, "*.rouse"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no recording in %s: %v", folder, err)
		}
		return files[0]
	}
	control, native := recording("control"), recording("native")
	root, err := filepath.Abs(checkout)
	if err != nil {
		t.Fatal(err)
	}
	passes := "run --file scenarios.yaml --executions 1 passes"
	mutants := "mutants --dir " + root + " --only post-wakes-nobody --seeds 1 --executions 1"
	for _, args := range []string{
		"list", "list --oracles", "list --workloads", "points", "points --json", "validate", "validate --quiet scenarios.yaml", "schema",
		"--help", "--version", "help run",
		"explain " + control, "explain " + native, "replay " + control, "replay --explain " + control, "replay --times 1 " + native,
		"shrink --out shorter " + control, "merge report", "merge --json - report", passes, passes + " --json -", passes + " --quiet",
		mutants, mutants + " --json -",
	} {
		for kind, got := range unwritable(t, dir, strings.Fields(args)...) {
			lines := strings.Split(strings.TrimSuffix(got.errs, "\n"), "\n")
			last := lines[len(lines)-1]
			if got.code != 3 || !strings.HasPrefix(last, "stress: ") || !strings.Contains(last, kind) || strings.Count(got.errs, "stress: ") != 1 {
				t.Errorf("%s, standard output %s: exit code %d, want 3\n%s", args, kind, got.code, got.errs)
			}
		}
	}
}

// TestNullOutput: what is not wanted is thrown away, and that is no failure.
func TestNullOutput(t *testing.T) {
	for _, mode := range []int{os.O_WRONLY, os.O_RDWR} {
		null, err := os.OpenFile(os.DevNull, mode, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer null.Close()
		cmd := exec.Command(chaosBinary, "list")
		cmd.Stdout = null
		finish(t, cmd).want(t, 0)
	}
}

// TestNoReader: a campaign of an hour ends when its output has no reader, and its report is complete.
func TestNoReader(t *testing.T) {
	dir := t.TempDir()
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	reader.Close()
	defer writer.Close()
	cmd := exec.Command(chaosBinary, "run", "--for", "1h", "--json", "report", "window-registered")
	cmd.Dir, cmd.Stdout = dir, writer
	finish(t, cmd).want(t, 3)
	if k := kinds(t, readFile(t, filepath.Join(dir, "report"))); k[len(k)-1] != "end" {
		t.Errorf("the report has %q", k)
	}
}
