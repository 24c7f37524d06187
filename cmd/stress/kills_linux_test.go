package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rouse-go/rouse/chaos/recording"
)

var kills = flag.Int("kills", 10, "how often TestKills ends a command")

// killedFiles are those of a module whose tests leave behind what they can: folders, a goroutine that waits for ever,
// a process in a session of its own.
var killedFiles = map[string]string{
	"go.mod":    "module example.com/killed\n\ngo 1.25\n",
	"killed.go": "package killed\n\nimport \"sync\"\n\nvar mu sync.Mutex\n\nvar n int\n\nfunc Add() {\n\tmu.Lock()\n\tn++\n\tmu.Unlock()\n}\n",
	"killed_test.go": `package killed

import (
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
)

func TestAdds(t *testing.T) {
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() { Add() })
	}
	wg.Wait()
	os.WriteFile(filepath.Join(t.TempDir(), "file"), []byte("text"), 0o600)
}

func TestDeadlock(t *testing.T) {
	t.TempDir()
	var a, b sync.Mutex
	var wg sync.WaitGroup
	wg.Go(func() { a.Lock(); b.Lock(); b.Unlock(); a.Unlock() })
	wg.Go(func() { b.Lock(); a.Lock(); a.Unlock(); b.Unlock() })
	wg.Wait()
}

var once sync.Once

func TestDaemon(t *testing.T) {
	once.Do(func() {
		cmd := exec.Command("sleep", "1000")
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		cmd.Start()
	})
	syscall.Nanosleep(&syscall.Timespec{Nsec: 2e8}, nil) // it is seen then
}
`,
}

// Catches: what a command that is ended at any instant leaves: a process, a file that is torn, a changed source, a
// folder for temporary files that the next one does not remove, a lock that stops the next one.
func TestKills(t *testing.T) {
	t.Setenv("GOFLAGS", "")
	module, tmp := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", tmp)
	for name, text := range killedFiles {
		write(t, module, name, text)
	}
	const reports = "--json r.json --junit x.xml --report pages/"
	run := func(args string) *exec.Cmd {
		cmd := exec.Command(plainBinary, strings.Fields(args)...)
		cmd.Dir, cmd.Env = module, os.Environ()
		return cmd
	}
	finish(t, run("test --run TestDeadlock --seed 1")).want(t, 1)
	recorded, err := filepath.Glob(filepath.Join(module, "testdata", "chaos", "TestDeadlock", "*.rouse"))
	if err != nil || len(recorded) == 0 {
		t.Fatalf("%v, no recording", err)
	}
	kept := write(t, module, "kept.rouse", readFile(t, recorded[0]))
	commands := []string{
		"test --executions 60 --run TestAdds|TestDeadlock " + reports, "test --executions 3 --procs 1 --run TestDaemon " + reports, "test --native --executions 60 " + reports,
		"test --run TestDeadlock --replay " + kept, "explain --html page.html " + kept, "shrink " + kept,
		"mutate --budget 2s --way plain,stress --out out --json m.json --operator delete-lock",
	}
	t.Run("debug", func(t *testing.T) { delve(t) }) // says what is left out
	if hasDelve(t) {
		commands = append(commands, "debug "+kept)
	}
	signals := []syscall.Signal{syscall.SIGKILL, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	draw := rand.New(rand.NewPCG(seed, 0))
	longest := make([]time.Duration, len(commands)) // to the end of each
	for i, args := range commands {
		began := time.Now()
		finish(t, run(args))
		longest[i] = time.Since(began)
	}
	for n := range *kills {
		i, s := n%len(commands), signals[draw.IntN(len(signals))]
		p := newPlanting(t, run(commands[i]))
		p.cmd.Stderr = &p.errs
		p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		if err := p.cmd.Start(); err != nil {
			t.Fatal(err)
		}
		wait := time.Duration(draw.Int64N(int64(longest[i])))
		time.Sleep(wait)
		signalled := uptime(t)
		if left := p.end(t, s); left > p.endYoung(t, signalled) {
			t.Errorf("stress %s, %v after %v: %d processes live on", commands[i], s, wait, left)
		}
		for name, text := range killedFiles {
			if readFile(t, filepath.Join(module, name)) != text {
				t.Errorf("stress %s, %v after %v: %s has changed", commands[i], s, wait, name)
			}
		}
		whole(t, module, commands[i], s, wait)
	}
	// The next ones begin where nothing holds them up, and take away what is left.
	for _, args := range append(commands, "clean") {
		if got := finish(t, run(args)); got.code > 1 {
			t.Errorf("stress %s: exit code %d\n%s%s", args, got.code, got.out, got.errs)
		}
	}
	var left []string
	for _, dir := range []string{module, tmp} {
		for _, name := range tree(t, dir) {
			if strings.Contains(name, ".tmp") || dir == tmp {
				left = append(left, name)
			}
		}
	}
	// The folder tmp itself is there, and perhaps one that was made, and not yet written down: it has nothing in it, not even
	// the first folder of the test.
	all := slices.Clone(left)
	left = slices.DeleteFunc(left, func(name string) bool {
		return name == "" || justMade.MatchString(name) && !slices.ContainsFunc(all, func(other string) bool { return strings.HasPrefix(other, name+"/") })
	})
	if len(left) > 0 {
		t.Errorf("left %q", left)
	}
}

// notSeen is the age, in seconds, up to which a process that has left its group may not have been seen: see SECURITY.md.
// That takes a tenth, or longer if the machine is busy.
const notSeen = 1

// endYoung ends the processes that were so young at that time, in seconds since the system began, and counts them.
func (p *planting) endYoung(t *testing.T, at float64) (n int) {
	t.Helper()
	for _, pid := range p.pids(t) {
		text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
		if err != nil {
			continue // it has ended
		}
		fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
		begun, err := strconv.ParseFloat(fields[19], 64) // field 22 of all, in hundredths: see proc(5)
		if err != nil {
			t.Fatal(err)
		}
		if at-begun/100 < notSeen && syscall.Kill(pid, syscall.SIGKILL) == nil {
			n++
		}
	}
	return n
}

// uptime is how long the system has run, in seconds.
func uptime(t *testing.T) float64 {
	t.Helper()
	text := readFile(t, "/proc/uptime")
	first, _, _ := strings.Cut(text, " ")
	seconds, err := strconv.ParseFloat(first, 64)
	if err != nil {
		t.Fatal(err)
	}
	return seconds
}

// justMade is the name of a folder in which testing.T.TempDir makes others.
var justMade = regexp.MustCompile(`^/Test[A-Za-z]+[0-9]+$`)

// whole fails if a file that a killed command has put in its place is not all there.
func whole(t *testing.T, module, args string, s syscall.Signal, wait time.Duration) {
	t.Helper()
	err := filepath.WalkDir(module, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(d.Name(), ".") {
			return err
		}
		torn := ""
		switch text := readFile(t, path); filepath.Ext(path) {
		case ".rouse":
			if _, err := recording.Read(path); err != nil {
				torn = err.Error()
			}
		case ".json":
			for line := range strings.Lines(text) {
				if !json.Valid([]byte(line)) {
					torn = line
				}
			}
			if !strings.HasSuffix(text, "\n") {
				torn = "its last line"
			}
		case ".xml":
			if !strings.HasSuffix(strings.TrimSpace(text), "</testsuites>") {
				torn = "its end"
			}
		case ".html":
			if !strings.HasSuffix(strings.TrimSpace(text), "</html>") {
				torn = "its end"
			}
		}
		if torn != "" {
			t.Errorf("stress %s, %v after %v: %s is torn: %s", args, s, wait, path, torn)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// Catches: what a test had made in the folder for temporary files when stress test was killed, and had not removed, which
// the next command does not remove, and one that removes other folders.
func TestKilledInTest(t *testing.T) {
	t.Setenv("GOFLAGS", "")
	module, tmp := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", tmp)
	write(t, module, "go.mod", "module example.com/killed\n\ngo 1.25\n")
	write(t, module, "killed_test.go", `package killed

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestPasses(*testing.T) {}

func TestPauses(t *testing.T) {
	os.WriteFile(filepath.Join(t.TempDir(), "file"), nil, 0o600)
	var removed string
	for range 100 {
		t.Run(strings.Repeat("removed", 10), func(t *testing.T) { removed = filepath.Dir(t.TempDir()) })
	}
	t.Run("below", func(t *testing.T) {
		t.TempDir()
		other, _ := os.MkdirTemp("", "other")
		os.WriteFile(filepath.Join(other, "ready"), []byte(removed), 0o600)
		os.Rename(filepath.Join(other, "ready"), filepath.Join(other, "written"))
		syscall.Pause()
	})
}
`)
	for _, next := range []string{"clean", "test --executions 1 --run TestPasses", "mutate --list"} {
		cmd := exec.Command(plainBinary, "test", "--run", "TestPauses", "--procs", "1", "--timeout", "1m")
		cmd.Dir, cmd.SysProcAttr = module, &syscall.SysProcAttr{Setpgid: true}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ready := ""
		for begin := time.Now(); ready == "" && time.Since(begin) < time.Minute; time.Sleep(time.Millisecond) {
			if found, _ := filepath.Glob(filepath.Join(tmp, "other*", "written")); len(found) > 0 { //nolint:errcheck // the pattern is well
				ready = found[0]
			}
		}
		cmd.Process.Kill() //nolint:errcheck // then it has ended, and nothing is ready
		cmd.Wait()         //nolint:errcheck // it was killed
		made, err := filepath.Glob(filepath.Join(tmp, "TestPauses*"))
		if err != nil || ready == "" || len(made) != 2 {
			t.Fatalf("before stress %s: %q, made %q, %v", next, ready, made, err)
		}
		again := readFile(t, ready) // another process has taken the name
		if err := os.Mkdir(again, 0o700); err != nil {
			t.Fatal(err)
		}
		in(t, module, plainBinary, strings.Fields(next)...).want(t, 0)
		if err := os.Remove(again); err != nil {
			t.Error(err)
		}
		other := filepath.Dir(ready)
		if err := os.Remove(ready); err != nil {
			t.Error(err)
		}
		if left := tree(t, tmp); !slices.Equal(left, []string{"", strings.TrimPrefix(other, tmp)}) {
			t.Errorf("stress %s: left %q, want %s", next, left, other)
		}
		os.Remove(other) //nolint:errcheck // then the next left is longer
	}
}
