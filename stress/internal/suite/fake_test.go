package suite

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/rouse-go/rouse/chaos/goroot"
	"github.com/rouse-go/rouse/chaos/goroot/wire"
	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/explore"
)

// scriptEnv is the script of a fake worker: "TestA: fails 300; TestB: hangs 5". Each test has a list of
// behaviours, and passes otherwise.
const scriptEnv = "FAKE_WORKER"

// onceEnv is a folder for what fake workers do once only.
const onceEnv = "FAKE_ONCE"

// fakePackage is the import path of its tests.
const fakePackage = "example.com/fake"

func TestMain(m *testing.M) {
	if os.Getenv(wire.Variable) != "" {
		os.Exit(fakeWorker())
	}
	goleak.VerifyTestMain(m)
}

// A fake is a worker that plays a script.
type fake struct {
	setup   wire.Setup
	answers *json.Encoder
	number  *os.File
	tests   []string
	does    map[string][]string // of a test
	tainted string
}

// fakeWorker returns the exit code.
func fakeWorker() (code int) {
	f := &fake{answers: json.NewEncoder(os.NewFile(wire.AnswerFile, "answers")), number: os.NewFile(wire.NumberFile, "number"), does: map[string][]string{}}
	if err := json.Unmarshal([]byte(os.Getenv(wire.Variable)), &f.setup); err != nil || f.setup.Version != wire.Version {
		f.say(wire.Answer{Kind: wire.Refused, Reason: fmt.Sprintf("setup %+v: %v", f.setup, err)})
		return 0
	}
	for part := range strings.SplitSeq(os.Getenv(scriptEnv), ";") {
		name, does, _ := strings.Cut(strings.TrimSpace(part), ":")
		f.tests = append(f.tests, name)
		f.does[name] = strings.Split(does, ",")
	}
	requests := bufio.NewScanner(os.NewFile(wire.RequestFile, "requests"))
	requests.Buffer(nil, 1<<20)
	for requests.Scan() {
		var r wire.Request
		if err := json.Unmarshal(requests.Bytes(), &r); err != nil {
			f.say(wire.Answer{Kind: wire.Refused, Reason: err.Error()})
			continue
		}
		f.say(f.answer(&r))
		if n, ok := f.at(r.Test, "tears-down"); ok {
			code = n
		}
	}
	if code != 0 {
		fmt.Println("left:", code)
	}
	return code
}

// say sends an answer.
func (f *fake) say(a wire.Answer) {
	a.Nonce = f.setup.Nonce
	f.answers.Encode(a)
}

// at returns the number that follows a word of the script of a test, and whether it is there.
func (f *fake) at(test, word string) (n int, ok bool) {
	n = -1
	for _, d := range f.does[test] {
		if name, number, _ := strings.Cut(strings.TrimSpace(d), " "); name == word {
			fmt.Sscan(number, &n)
			return n, true
		}
	}
	return n, false
}

// onlyOf are the behaviours with that word before them, without it; nil if there are none.
func (f *fake) onlyOf(word string) (does map[string][]string) {
	for test, all := range f.does {
		for _, d := range all {
			if rest, ok := strings.CutPrefix(strings.TrimSpace(d), word); ok {
				if does == nil {
					does = map[string][]string{}
				}
				does[test] = append(does[test], rest)
			}
		}
	}
	return does
}

func (f *fake) answer(r *wire.Request) wire.Answer {
	if f.tainted != "" {
		return wire.Answer{Kind: wire.Refused, Reason: f.tainted}
	}
	has := func(word string) bool { _, ok := f.at(r.Test, word); return ok }
	switch r.Do {
	case wire.List:
		if f.does["exits-well"] != nil {
			os.Exit(0)
		}
		if f.does["exits"] != nil {
			fmt.Println("no flag for this")
			os.Exit(3)
		}
		return wire.Answer{Kind: wire.Listed, Tests: f.tests}
	case wire.Explore:
		if code, ok := f.at(r.Test, "dies-early"); ok {
			fmt.Println("the port is in use")
			os.Exit(code)
		}
		if has("dies-between") && r.From > 0 {
			fmt.Println("panic: left behind")
			os.Exit(2)
		}
		if has("hangs-early") {
			select {}
		}
		return f.explore(r)
	case wire.Settle:
		rec := parsed(r.Recording)
		if has("exits-settling") {
			os.Exit(0)
		}
		f.announce(rec.Execution)
		switch {
		case has("refuses-settling"):
			return wire.Answer{Kind: wire.Refused, Reason: "recording:25:16: found nothing"}
		case has("hidden-settling"):
			return wire.Answer{Kind: wire.Unrepeatable, Reason: "it is uncontrolled", Instead: &wire.Failure{Verdict: verdict.Uncontrolled, Real: true}}
		case rec.Summary == stray:
			return wire.Answer{Kind: wire.Unrepeatable, Reason: "the execution passes"}
		case has("unrepeatable"):
			return wire.Answer{Kind: wire.Unrepeatable, Reason: "step 7 differs: a system call at a.go:3"}
		case has("dies-settling"):
			os.Exit(4)
		case has("hangs-settling"):
			f.first("settling")
			select {}
		}
		return wire.Answer{Kind: wire.Settled, Failure: f.failure(r, rec.Execution, 2), Base: f.failure(r, rec.Execution, len(rec.Entries))}
	case wire.Replay:
		if r.Test == "TestGone" {
			return wire.Answer{Kind: wire.Refused, Reason: `found no test "TestGone"`}
		}
		rec := parsed(r.Recording)
		if has("exits-replaying") {
			os.Exit(0)
		}
		f.announce(rec.Execution)
		if n, _ := f.at(r.Test, "hangs-replaying"); n == rec.Execution {
			select {}
		}
		if rec.Start != f.setup.Start {
			return wire.Answer{Kind: wire.Refused, Reason: "the recording begins at another time"}
		}
		if has("elsewhere") || has("shrunk-elsewhere") && len(rec.Entries) == 2 {
			return wire.Answer{Kind: wire.Replayed, Likeness: "not-reproduced", Reason: "step 9 differs", Outside: "what may help: --native"}
		}
		if times, few := f.at(r.Test, "repeats"); few && len(rec.Entries) == 5 && !f.within(r.Test, times) || rec.Summary == stray {
			return wire.Answer{Kind: wire.Replayed, Likeness: "not-reproduced", Reason: "the execution passes"}
		}
		if every, hidden := f.at(r.Test, "hidden"); hidden && !f.within(r.Test, every) {
			os.RemoveAll(filepath.Join(os.Getenv(onceEnv), "0"+r.Test))
			failure := f.failure(r, rec.Execution, 0)
			failure.Verdict, failure.Real, failure.Steps = verdict.Uncontrolled, true, 3
			return wire.Answer{Kind: wire.Replayed, Likeness: "not-reproduced", Reason: "it is uncontrolled", Failure: failure}
		}
		return wire.Answer{Kind: wire.Replayed, Likeness: "exact", Failure: f.failure(r, rec.Execution, len(rec.Entries))}
	}
	return wire.Answer{Kind: wire.Refused, Reason: string(r.Do)}
}

// announce writes the number of an execution that begins.
func (f *fake) announce(n int) {
	f.number.WriteAt(binary.LittleEndian.AppendUint64(nil, uint64(n)), 0)
}

// explore plays a batch.
func (f *fake) explore(r *wire.Request) wire.Answer {
	if searched := f.onlyOf("searched "); searched != nil && !f.setup.Native {
		was := f.does
		f.does = searched
		defer func() { f.does = was }()
	} else if f.setup.Native != strings.Contains(os.Getenv(scriptEnv), "native") {
		return wire.Answer{Kind: wire.Refused, Reason: "native or not"}
	}
	if _, ok := f.at(r.Test, "skips"); ok {
		return wire.Answer{Kind: wire.Explored, Skipped: true, Next: r.To}
	}
	var c wire.Counts
	few, hasFew := f.at(r.Test, "few")
	if hasFew && r.Few {
		c.Executions = few
		return wire.Answer{Kind: wire.Explored, Counts: c, Next: few, By: "dpor", Exhausted: explore.Explored("dpor", few, "")}
	}
	different, given := f.at(r.Test, "orders")
	if !given {
		different = 100
	}
	for n := r.From; n < r.To; n++ {
		if every, leaves := f.at(r.Test, "leaves"); leaves && n > r.From && n%every == 0 {
			f.tainted = "a lock is held"
			return wire.Answer{Kind: wire.Explored, Counts: c, Next: n, Tainted: f.tainted, Notes: []string{"a lock was held"}}
		}
		f.announce(n)
		_, slow := f.at(r.Test, "slow")
		slower, isSlower := f.at(r.Test, "slower")
		if slow || isSlower {
			time.Sleep(max(5, time.Duration(slower)) * time.Millisecond)
			f.say(wire.Answer{Kind: wire.Progress, Counts: c})
			c = wire.Counts{}
		}
		c.Executions++
		c.Steps += 10
		c.Orders = append(c.Orders, uint64(n%different))
		if at, _ := f.at(r.Test, "exhausts"); at == n {
			return wire.Answer{Kind: wire.Explored, Counts: c, Next: n + 1, Exhausted: "all there is"}
		}
		for _, d := range f.does[r.Test] {
			what, number, _ := strings.Cut(strings.TrimSpace(d), " ")
			if number != fmt.Sprint(n) {
				continue
			}
			switch what {
			case "fails":
				return wire.Answer{Kind: wire.Failed, Counts: c, Next: n, Failure: f.failure(r, n, 5)}
			case "uncontrolled":
				failure := f.failure(r, n, 0)
				failure.Verdict, failure.Summary = verdict.Uncontrolled, "map iteration at m.go:5"
				return wire.Answer{Kind: wire.Failed, Counts: c, Next: n, Failure: failure}
			case "differs-alone":
				if r.Alone != nil {
					failure := f.failure(r, n, 0)
					failure.Verdict, failure.Summary, failure.Differed = verdict.Uncontrolled, "map iteration at m.go:5", true
					return wire.Answer{Kind: wire.Failed, Counts: c, Next: n, Failure: failure}
				}
			case "real":
				failure := f.failure(r, n, 0)
				failure.Verdict, failure.Summary, failure.Real = verdict.Uncontrolled, "FileInfo.ModTime at m.go:5, and the test fails", true
				return wire.Answer{Kind: wire.Failed, Counts: c, Next: n, Failure: failure}
			case "strays":
				failure := f.failure(r, n, 5)
				rec := parsed(failure.Recording)
				rec.Summary, failure.Summary = stray, stray
				failure.Recording = rec.String()
				return wire.Answer{Kind: wire.Failed, Counts: c, Next: n, Failure: failure}
			case "cut":
				failure := f.failure(r, n, 0)
				c.Cut = 1
				failure.Verdict, failure.Summary = verdict.Timeout, "not done after 10 steps; still running: main"
				return wire.Answer{Kind: wire.Failed, Counts: c, Next: n, Failure: failure}
			case "dies":
				fmt.Fprintln(os.Stderr, "fatal error: concurrent map writes\n\ngoroutine 7 [running]:\nexample.com/fake.f()\n\t/src/f.go:12 +0x1")
				os.Exit(2)
			case "deadlocks":
				fmt.Fprintln(os.Stderr, asleep+"\n\ngoroutine 1 [chan receive]:\ntesting.rouseServe()\n\t/go/src/testing/rouse.go:41 +0x1\n\ngoroutine 7 [sync.Mutex.Lock]:\nexample.com/fake.f()\n\t/src/f.go:12 +0x1")
				os.Exit(2)
			case "dies-alone": // with others, it ends in another way
				if r.Alone != nil {
					os.Exit(3)
				}
				if !f.first(fmt.Sprint(r.Test, os.Getppid())) {
					os.Exit(4)
				}
				os.Exit(6)
			case "dies-once":
				if f.first(r.Test) {
					os.Exit(7)
				}
			case "hangs":
				select {}
			case "stops":
				self, _ := os.FindProcess(os.Getpid())
				self.Signal(syscall.Signal(19)) // SIGSTOP of Linux
				time.Sleep(time.Hour)
			case "works":
				for i := range uint64(60) {
					time.Sleep(100 * time.Millisecond)
					f.number.WriteAt(binary.LittleEndian.AppendUint64(nil, i+1), wire.StepsAt)
				}
			case "grows":
				for all := [][]byte(nil); len(all) >= 0; {
					all = append(all, bytes.Repeat([]byte("x"), 1<<20))
				}
			case "forges":
				f.answers.Encode(wire.Answer{Kind: wire.Explored, Next: r.To})
				time.Sleep(time.Hour)
			case "garbles":
				fmt.Fprintln(os.NewFile(wire.AnswerFile, "answers"), "hello")
			case "floods":
				for w, text := os.NewFile(wire.AnswerFile, "answers"), bytes.Repeat([]byte("x"), 1<<16); ; {
					w.Write(text)
					f.number.WriteAt(binary.LittleEndian.AppendUint64(nil, uint64(time.Now().UnixNano())), wire.StepsAt)
				}
			case "logs":
				failure := f.failure(r, n, 5)
				failure.Output = strings.Repeat("x", 2<<20)
				return wire.Answer{Kind: wire.Failed, Counts: c, Next: n, Failure: failure}
			case "closes":
				f.number.WriteAt([]byte{1}, wire.LostAt)
				os.NewFile(wire.AnswerFile, "answers").Close()
				os.Exit(2)
			case "removes":
				dir, _ := os.Getwd()
				os.RemoveAll(dir)
				os.Exit(0)
			case "renames":
				os.Rename(os.Args[0], os.Args[0]+".old")
			case "unlinks":
				os.Remove(os.Args[0])
			case "replaces":
				os.Remove(os.Args[0])
				os.WriteFile(os.Args[0], []byte("#!/bin/sh\nexit 0\n"), 0o700)
			case "forbids":
				os.Chmod(os.Args[0], 0)
			case "removes-binaries":
				os.RemoveAll(filepath.Dir(os.Args[0]))
			case "refuses":
				return wire.Answer{Kind: wire.Refused, Reason: "no such test"}
			}
		}
	}
	if hasFew && r.Alone != nil {
		return wire.Answer{Kind: wire.Explored, Counts: c, Next: r.To, Ended: &strategy.Result{Steps: 1}}
	}
	if _, taints := f.at(r.Test, "taints"); taints {
		f.tainted = "a lock is held"
	}
	if _, loses := f.at(r.Test, "loses"); loses {
		return wire.Answer{Kind: wire.Explored, Counts: c, Next: r.To, InputsLost: true}
	}
	if _, reads := f.at(r.Test, "reads"); reads {
		return wire.Answer{Kind: wire.Explored, Counts: c, Next: r.To, Inputs: []wire.Input{
			{Kind: wire.InputEnv, Name: "FAKE_INPUT"}, {Kind: wire.InputOpen, Name: "testdata"}, {Kind: wire.InputOpen, Name: "testdata/file"}, {Kind: wire.InputStat, Name: "none"},
			{Kind: wire.InputOpen, Name: os.TempDir()},
		}}
	}
	return wire.Answer{Kind: wire.Explored, Counts: c, Next: r.To, Tainted: f.tainted, Notes: []string{fmt.Sprintf("%d goroutines are left behind", 2+r.From)}}
}

// stray is the summary of failures that do not repeat.
const stray = "a coin decides"

func parsed(text string) *recording.Recording {
	r, err := recording.Parse("recording", text)
	if err != nil {
		panic(err)
	}
	return r
}

// first reports whether no other process has asked this before.
func (f *fake) first(test string) bool {
	return os.Mkdir(filepath.Join(os.Getenv(onceEnv), test), 0o700) == nil
}

// within reports whether at most so many processes have asked this before.
func (f *fake) within(test string, times int) bool {
	dir := filepath.Join(os.Getenv(onceEnv), "0"+test)
	os.Mkdir(dir, 0o700)
	for n := range times {
		if os.Mkdir(filepath.Join(dir, fmt.Sprint(n)), 0o700) == nil {
			return true
		}
	}
	return false
}

// failure is that of an execution, with that many decisions left.
func (f *fake) failure(r *wire.Request, n, decisions int) *wire.Failure {
	rec := &recording.Recording{
		Kind: recording.Unmodified, Subject: fakePackage + " " + r.Test, Build: "go1.26.8 linux/amd64", Strategy: "random", Seed: r.Settings.Seed, Execution: n,
		Start: f.setup.Start, Clock: "lazy", Verdict: verdict.Deadlock, Summary: "all tasks wait", Hash: uint64(0xabc0 + n),
	}
	for i := range decisions {
		rec.Entries = append(rec.Entries, recording.Entry{Task: "main", Ops: i + 1, To: "main/0"})
	}
	return &wire.Failure{
		Execution: n, Seed: 99, Strategy: "random", Verdict: verdict.Deadlock, Summary: "all tasks wait", Site: "f.go:3", Hash: rec.Hash, Steps: 12,
		First:     r.First || r.Alone != nil,
		Recording: rec.String(), Decisions: [2]int{5, decisions}, Report: fmt.Sprintf("deadlock in execution %d\n\na table\n", n),
	}
}

// fakes are options by which fake workers run the script in a folder of their own.
func fakes(t *testing.T, script string) Options {
	t.Helper()
	t.Setenv(scriptEnv, script)
	t.Setenv(wire.RaceVariable, "atexit_sleep_ms=0") // if these tests run with the race detector
	t.Setenv(onceEnv, t.TempDir())
	dir := t.TempDir()
	return Options{
		Settings: wire.Settings{Seed: 7}, Executions: DefaultExecutions, Procs: 2, Timeout: 20 * time.Second, Command: []string{"stress"},
		makeOverlay: func(context.Context, goroot.Options) (*goroot.Overlay, error) {
			return &goroot.Overlay{Go: "go", GoVersion: "go1.26.8", GOOS: "linux", GOARCH: "amd64"}, nil
		},
		listed: func(context.Context) ([]*listed, error) {
			return []*listed{{ImportPath: fakePackage, Dir: dir, TestGoFiles: []string{"fake_test.go"}}}, nil
		},
		build: func(context.Context, *listed) (binary, problem string, err error) { return os.Args[0], "", nil },
	}
}
