package suite

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/rouse-go/rouse/chaos/goroot/wire"
	"github.com/rouse-go/rouse/internal/process"
	"github.com/rouse-go/rouse/stress/internal/prose"
)

// graceTime is how long a worker may take to exit by itself, including to print its goroutines.
const graceTime = 5 * time.Second

// A worker is a process that runs a program. A single goroutine uses it. That goroutine is locked to its
// thread, because Linux ends the worker when the thread ends.
type worker struct {
	cmd      *exec.Cmd
	requests *os.File
	replies  *os.File
	answers  chan wire.Answer // read from replies; closed when the process has closed its end
	number   *os.File
	inputs   *inputs // of the package
	output   process.Ends
	guard    *process.Guard
	strays   process.Strays // processes that its tests started, in groups of their own
	timeout  time.Duration
	memory   int64 // limit in bytes; see Options.Memory
	longest  int   // limit of an answer, in bytes
	grace    time.Duration
	choose   func(question []byte) int // chooses for an execution that runs alone; nil if the worker chooses
	nonce    string                    // in each of its answers
	last     int                       // the last execution of the requests before this one, or -1
	stopped  bool                      // a signal had stopped it when it was ended for its silence
	lost     bool                      // it has ended, and a test had closed its files
	passed   bool                      // all executions of the last request passed, and it is not tainted
	spent    bool                      // failed, died, tainted or ran alone: gets no more requests
}

// A death describes how a worker ended without an answer.
type death struct {
	hangs   bool   // it was ended because it made no progress
	stopped bool   // with hangs: a signal had stopped it
	lost    bool   // a test had closed its files
	memory  int64  // the limit in bytes, if it was ended for exceeding it; otherwise 0
	number  int    // the execution that was running, or -1 if the request had begun none
	after   int    // the last execution of earlier requests, or -1
	code    int    // exit code; -1 if a signal ended it
	status  string // how it ended
	output  string
}

func (d *death) Error() string { return "a worker ended without an answer: " + d.status }

// tracebacks makes a worker that dies print all goroutines.
const tracebacks = "GOTRACEBACK=all"

// start starts a worker, which ends with ctx. The error is a *disturbance if a test or the package is the likely cause.
func (p *program) start(ctx context.Context, o *Options) (*worker, error) {
	if err := p.replaced(); err != nil {
		return nil, err
	}
	w := &worker{answers: make(chan wire.Answer), inputs: p.inputs, nonce: rand.Text(), last: -1, guard: o.guard, timeout: o.Timeout, memory: o.Memory, longest: cmp.Or(o.longest, longestAnswer), grace: o.grace}
	setup := p.setup
	setup.Version, setup.Nonce = wire.Version, w.nonce
	words := append(strings.Fields(o.Build.Exec), p.binary)
	w.cmd = process.Command(ctx, words[0], append(words[1:], p.args...)...)
	w.cmd.Dir = p.dir
	w.cmd.Env = p.environment()
	if p.race {
		setup.RaceLog = filepath.Join(p.tmp, "race")
		w.cmd.Env = append(w.cmd.Env, wire.RaceVariable+"="+wire.RaceOptions(os.Getenv(wire.RaceVariable), setup.RaceLog))
	}
	text, err := json.Marshal(setup)
	if err != nil {
		return nil, err
	}
	w.cmd.Env = append(w.cmd.Env, wire.Variable+"="+string(text))
	w.cmd.Stdout, w.cmd.Stderr = &w.output, &w.output
	if err := w.open(p.tmp); err != nil {
		if reason := p.hindered(err); reason != nil && context.Cause(ctx) == nil {
			return nil, reason
		}
		return nil, fmt.Errorf("cannot start %s: %w", p.binary, err)
	}
	return w, nil
}

// open creates the pipes and the number file of the worker, and starts it.
func (w *worker) open(tmp string) (err error) {
	theirs, mine, err := os.Pipe()
	if err != nil {
		return err
	}
	defer theirs.Close()
	answers, theirAnswers, err := os.Pipe()
	if err != nil {
		mine.Close()
		return err
	}
	defer theirAnswers.Close()
	if w.number, err = os.CreateTemp(tmp, wire.NumberPrefix); err == nil {
		w.cmd.ExtraFiles = []*os.File{wire.RequestFile - 3: theirs, wire.AnswerFile - 3: theirAnswers, wire.NumberFile - 3: w.number}
		err = w.cmd.Start()
	}
	if err != nil {
		mine.Close()
		answers.Close()
		if w.number != nil {
			w.number.Close()
			os.Remove(w.number.Name()) //nolint:errcheck // its folder is removed too
		}
		return err
	}
	w.guard.Begin(w.cmd) // before the first request, so before a test starts anything
	w.requests, w.replies = mine, answers
	go w.receive()
	return nil
}

// longestAnswer bounds an answer, in bytes. A worker needs at most several times what its test has logged, and a test
// that writes into the answer file could otherwise fill the memory of this process.
const longestAnswer = 256 << 20

// receive passes on the answers of the worker. For text that a test wrote there, it sends an answer of kind disturbing.
func (w *worker) receive() {
	defer close(w.answers)
	lines := bufio.NewReaderSize(w.replies, 64<<10)
	for {
		line, err := w.readLine(lines)
		var a wire.Answer
		switch {
		case err == errLong && bytes.Contains(line[:min(len(line), 1<<10)], []byte(w.nonce)):
			a = wire.Answer{Kind: disturbing, Reason: fmt.Sprintf("an answer of its process is longer than %s, which is what a test has logged", prose.Bytes(int64(w.longest)))}
		case err == errLong:
			a = forged(line)
		case err != nil:
			return
		case json.Unmarshal(line, &a) != nil || a.Nonce != w.nonce:
			a = forged(line)
		}
		if a.Kind != disturbing {
			w.inputs.add(&a)
		}
		if w.answers <- a; err != nil {
			return
		}
	}
}

var errLong = errors.New("a line is too long")

// readLine reads a line. If it is too long, readLine returns its beginning and errLong.
func (w *worker) readLine(lines *bufio.Reader) ([]byte, error) {
	for line := []byte(nil); ; {
		part, err := lines.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case err != nil && err != bufio.ErrBufferFull:
			return nil, err
		case len(line) > w.longest:
			return line, errLong
		case err == nil:
			return line, nil
		}
	}
}

// disturbing is the kind of an answer that replaces invalid input. Its Reason describes what a test has done.
const disturbing wire.Kind = "disturbing"

// forged returns the answer that replaces a line that a test has written into the answer file.
func forged(line []byte) wire.Answer {
	return wire.Answer{Kind: disturbing, Reason: "a test has written into the file by which its process speaks with this one: " + fmt.Sprintf("%.60q", line)}
}

// A disturbance is the error of a worker whose files, such as its pipes or its binary, a test has tampered with.
type disturbance struct{ what string }

func (d *disturbance) Error() string { return d.what }

// silentTicks is the number of ticks in the timeout of a worker. Silence is measured in ticks, not by the
// clock, because no tick is counted while this process is stopped.
const silentTicks = 20

// ask sends a request and returns the answer; progressed is called for the progress answers before it. Closing
// enough, if not nil, ends the worker, and the error is errEnough. Other errors are a *death, a *disturbance, or the
// cause of ctx.
func (w *worker) ask(ctx context.Context, r wire.Request, progressed func(wire.Answer), enough <-chan struct{}) (wire.Answer, error) {
	text, err := json.Marshal(r)
	if err != nil {
		return wire.Answer{}, err
	}
	w.passed = false
	w.last = max(w.execution(), w.last)
	w.number.WriteAt(noNumber, 0)           //nolint:errcheck // the file is this process's own
	go w.requests.Write(append(text, '\n')) //nolint:errcheck // a worker that does not read does not answer
	silence := time.NewTicker(max(w.timeout/silentTicks, time.Millisecond))
	defer silence.Stop()
	memory := time.NewTicker(process.MemoryTick)
	defer memory.Stop()
	silent, steps := 0, w.steps()
	for {
		select {
		case a, ok := <-w.answers:
			silent = 0
			if !ok {
				err := w.died(ctx, false)
				var d *death
				if errors.As(err, &d) && d.lost {
					err = &disturbance{"a test has closed the files by which its process speaks with this one"}
				}
				return a, err
			}
			switch {
			case a.Kind == disturbing:
				w.kill()
				return wire.Answer{}, &disturbance{a.Reason}
			case a.Kind == wire.Progress:
				progressed(a)
				continue
			case a.Kind == wire.Choose && w.choose != nil:
				reply := binary.LittleEndian.AppendUint32(nil, uint32(int32(w.choose(a.Question))))
				w.requests.Write(reply) //nolint:errcheck // a worker that does not read has ended
				continue
			}
			w.passed = a.Kind == wire.Explored && a.Tainted == ""
			w.spent = w.spent || a.Tainted != "" || r.Alone != nil || a.Kind != wire.Listed && a.Kind != wire.Explored
			return a, nil
		case <-silence.C:
			if n := w.steps(); n != steps { // a long execution
				steps, silent = n, 0
				continue
			}
			if silent++; silent >= silentTicks {
				w.stopped = process.Stopped(w.cmd)
				process.Interrogate(w.cmd)
				return wire.Answer{}, w.died(ctx, true)
			}
		case <-memory.C:
			w.look()
			if w.memory > 0 && process.Resident(w.cmd) > w.memory {
				process.Kill(w.cmd)
				err := w.died(ctx, false)
				var d *death
				if errors.As(err, &d) {
					d.memory = w.memory
				}
				return wire.Answer{}, err
			}
		case <-enough:
			w.kill()
			return wire.Answer{}, errEnough
		case <-ctx.Done():
			w.kill()
			return wire.Answer{}, context.Cause(ctx)
		}
	}
}

// noNumber is the content of the number file until an execution begins. It overwrites the number because the file
// must not shrink: a worker may have mapped it.
var noNumber = binary.LittleEndian.AppendUint64(nil, wire.NoNumber)

// errEnough is returned for a request that was given up because its result no longer counts.
var errEnough = errors.New("the result of a request does not count any more")

// registers matches the start of the register dump that the runtime prints last, which is of no use here.
var registers = regexp.MustCompile(`\n\n?r(?:ax|0) +0x[0-9a-f]+\n`)

// steps returns a counter that changes while an execution makes steps.
func (w *worker) steps() uint64 {
	var steps [wire.LostAt - wire.StepsAt]byte
	w.number.ReadAt(steps[:], wire.StepsAt) //nolint:errcheck // before the first execution there are none
	return binary.LittleEndian.Uint64(steps[:])
}

// execution returns the number of the execution that this request began last, or -1 if it has begun none.
func (w *worker) execution() int {
	var number [8]byte
	if _, err := w.number.ReadAt(number[:], 0); err != nil {
		return -1
	}
	return max(int(binary.LittleEndian.Uint64(number[:])), -1) // NoNumber is -1
}

// died waits until the worker has ended and returns a *death, or the cause of ctx if that ended it.
func (w *worker) died(ctx context.Context, hangs bool) error {
	d := &death{hangs: hangs, stopped: w.stopped, number: w.execution(), after: w.last}
	w.wait(w.grace)
	d.lost = w.lost
	d.output = strings.TrimSpace(w.output.String())
	if at := registers.FindStringIndex(d.output); at != nil {
		d.output = d.output[:at[0]]
	}
	d.code = w.cmd.ProcessState.ExitCode()
	d.status = fmt.Sprintf("exit code %d", d.code)
	if s := process.Signal(w.cmd); s != "" {
		d.status = "signal: " + s
	}
	if err := context.Cause(ctx); err != nil {
		return err // ctx has ended it
	}
	return d
}

// look looks for processes that would outlive the worker's group.
func (w *worker) look() {
	for _, target := range w.strays.Look(w.cmd.Process.Pid) {
		w.guard.AddTarget(target)
	}
}

// close closes the requests so that the worker exits, and kills it if it does not. If its executions have passed, after
// is its exit code, which TestMain or code that runs at its end has set; otherwise after is 0.
func (w *worker) close() (after int) {
	passed := w.passed
	if w.wait(w.grace); !passed {
		return 0
	}
	return max(w.cmd.ProcessState.ExitCode(), 0) // -1 is a signal, sent by this process
}

// kill ends the worker at once.
func (w *worker) kill() { w.wait(0) }

// wait closes the requests and waits until the worker has closed its end of the answers, as it does when it
// exits. It kills the worker when the time is up, and always what the worker may have started.
func (w *worker) wait(grace time.Duration) {
	w.spent = true
	if w.requests == nil {
		return
	}
	w.look()
	w.requests.Close()
	w.requests = nil
	timer := time.NewTimer(grace)
	defer timer.Stop()
	for open := true; open; {
		select {
		case _, open = <-w.answers:
		case <-timer.C:
			open = false
		}
	}
	process.Kill(w.cmd)
	w.cmd.Wait() //nolint:errcheck // ProcessState has more
	for _, target := range w.strays.Kill() {
		w.guard.RemoveTarget(target)
	}
	w.guard.End(w.cmd)
	w.replies.Close() // a process outside of its group may hold the other end open
	for range w.answers {
	}
	var end [wire.NumberSize]byte
	w.number.ReadAt(end[:], 0) //nolint:errcheck // without an execution there is nothing
	w.lost = end[wire.LostAt] != 0
	removeMade(end[wire.MadeAt:])
	w.number.Close()
	os.Remove(w.number.Name()) //nolint:errcheck // its folder is removed too
}
