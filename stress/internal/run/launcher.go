package run

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/process"
	"github.com/rouse-go/rouse/stress/internal/outcome"
)

const (
	// childTimeout is how long an execution may take before the parent ends it. The watchdog of the
	// child reports much earlier; this limit is for a child that cannot report.
	childTimeout = 60 * time.Second
	// graceTime is how long a child may take to print its goroutines, and the system to end it.
	graceTime = 5 * time.Second
	// TickTime is how often Run calls tick.
	TickTime = 200 * time.Millisecond
)

// A Launcher starts children. The zero value is ready.
type Launcher struct {
	Timeout  time.Duration // limit of one execution; 0 is childTimeout
	MaxProcs int           // GOMAXPROCS of the child; 0 is nativeProcs()
	Spares   *Spares       // if not nil, the children for controlled executions serve several requests
}

// nativeProcs returns the GOMAXPROCS of native executions: the parent's, but at least 2. With 1 a goroutine
// rarely stops between two steps of a protocol, and some steps are never reached.
func nativeProcs() int { return max(2, runtime.GOMAXPROCS(0)) }

func (l Launcher) ChildTimeout() time.Duration {
	if l.Timeout == 0 {
		return childTimeout
	}
	return l.Timeout
}

// An Ending describes how a child ended, apart from the results that it sent.
type Ending struct {
	Done     bool   // the child sent Done
	last     *Begin // the execution that was running, nil if none was
	idle     bool   // the child waits for another request
	timedOut bool
	stopped  bool   // with timedOut: a signal had stopped it
	code     int    // exit code, -1 if a signal ended it
	signal   string // the signal that ended it, or ""
	output   string // its standard error, with the middle left out
}

// Run starts a child with the request, calls observe with each of its messages, and returns when it
// has ended, or waits for another request. tick is called every TickTime while it runs. If ctx is
// done, or observe returns an error, the child is killed and the error returned.
func (l Launcher) Run(ctx context.Context, r Request, observe func(*Message) error, tick func()) (Ending, error) {
	r.Again = l.Spares != nil && r.Explore != nil && !r.Explore.Careful
	c, err := l.child(r)
	if err != nil {
		return Ending{}, fmt.Errorf("cannot start a child process: %w", err)
	}
	receive := func(m *Message) error {
		err := observe(m)
		if err == nil && m.Begin != nil && r.Waits {
			c.stdin.Write([]byte{goAheadByte}) //nolint:errcheck // the Ending shows why
		}
		return err
	}
	var end Ending
	failed := l.follow(ctx, c, &end, receive, tick)
	if failed == nil && end.idle {
		l.Spares.put(c)
		return end, nil
	}
	if err := c.end(&end); err != nil {
		return end, err
	}
	return end, failed
}

// A child is a child process, which may serve several requests.
type child struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout io.ReadCloser
	errs   *process.Ends
	lines  chan string
	served int // requests
}

// child returns a child that has got the request: one that waits for requests, or a new one.
func (l Launcher) child(r Request) (*child, error) {
	text, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	var c *child
	if r.Again {
		c = l.Spares.take()
	}
	if c == nil {
		if c, err = l.start(); err != nil {
			return nil, err
		}
	}
	c.served++
	// If the child dies before it has read the request, its Ending is more informative than a broken pipe.
	c.stdin.Write(text) //nolint:errcheck
	return c, nil
}

// end ends the child, and completes its Ending.
func (c *child) end(end *Ending) error {
	defer c.stdin.Close()
	process.Kill(c.cmd) // what is left of its group
	giveUp := time.AfterFunc(graceTime, func() { c.stdout.Close() })
	for range c.lines {
	}
	giveUp.Stop()
	waited := c.cmd.Wait()
	if errors.Is(waited, exec.ErrWaitDelay) {
		waited = nil // another process holds its standard error open
	}
	var status *exec.ExitError
	if waited != nil && !errors.As(waited, &status) {
		return fmt.Errorf("waiting for a child process: %w", waited)
	}
	end.code, end.signal = c.cmd.ProcessState.ExitCode(), process.Signal(c.cmd)
	end.output = c.errs.String()
	return nil
}

func (l Launcher) start() (*child, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(self, ChildArg)
	cmd.Env = append(os.Environ(), ChildEnv+"=1", "GOTRACEBACK=all",
		strings.TrimSpace("GORACE="+os.Getenv("GORACE")+" halt_on_error=1 exitcode=66 atexit_sleep_ms=0"))
	cmd.Env = append(cmd.Env, fmt.Sprintf("GOMAXPROCS=%d", cmp.Or(l.MaxProcs, nativeProcs())))
	c := &child{cmd: cmd, errs: &process.Ends{}, lines: make(chan string)}
	cmd.Stderr = c.errs
	cmd.WaitDelay = graceTime
	process.Separate(cmd)
	if c.stdin, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if c.stdout, err = cmd.StdoutPipe(); err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	go readLines(c.stdout, c.lines)
	return c, nil
}

// follow reads the child's messages until it closes its standard output, or waits for a request.
//
// Silence is measured in ticks, not by the clock, because no tick is counted while this process is stopped
// or waits for an observer. Ticks are counted while the child is stopped, because it may never continue.
func (l Launcher) follow(ctx context.Context, c *child, end *Ending, observe func(*Message) error, tick func()) error {
	cmd, timeout := c.cmd, l.ChildTimeout()
	silence := time.NewTicker(timeout / silentTicks)
	defer silence.Stop()
	silent, most := 0, silentTicks*int(max(1, childTimeout/timeout)) // it has yet to start
	var grace <-chan time.Time                                       // to print its goroutines in
	ticker := time.NewTicker(TickTime)
	defer ticker.Stop()
	for {
		select {
		case line, ok := <-c.lines:
			if !ok {
				return nil
			}
			if end.timedOut {
				continue
			}
			silent, most = 0, silentTicks
			if m := end.note(line); m != nil {
				if err := observe(m); err != nil {
					process.Kill(cmd)
					return err
				}
			}
			if end.idle {
				return nil
			}
		case <-ticker.C:
			tick()
		case <-silence.C:
			if silent++; silent >= most && !end.timedOut {
				end.timedOut, end.stopped = true, process.Stopped(cmd)
				process.Interrogate(cmd)
				timer := time.NewTimer(graceTime)
				defer timer.Stop()
				grace = timer.C
			}
		case <-grace:
			process.Kill(cmd)
		case <-ctx.Done():
			process.Kill(cmd)
			return context.Cause(ctx)
		}
	}
}

// silentTicks is the number of ticks in the timeout of a child.
const silentTicks = 20

// note records a line of the child and returns the message in it, if any.
func (e *Ending) note(line string) *Message {
	text, ok := strings.CutPrefix(line, messagePrefix)
	var m Message
	if !ok || json.Unmarshal([]byte(text), &m) != nil {
		return nil // printed by the subject, or truncated by its end
	}
	switch {
	case m.Begin != nil:
		e.last = m.Begin
	case m.Result != nil, m.Batch != nil, m.Try != nil:
		e.last = nil
	case m.Done:
		e.Done, e.idle = true, m.Idle
	}
	return &m
}

func readLines(r io.Reader, lines chan<- string) {
	defer close(lines)
	b := bufio.NewReaderSize(r, 64<<10)
	for {
		line, err := b.ReadString('\n')
		if err != nil {
			return
		}
		lines <- line
	}
}

// raceExit is the exit code of a process in which the race detector reported.
const raceExit = 66

// Judge returns the outcome of an execution that ended its process. It returns nil if the child has
// reported all results itself, and an error if the subject did not cause the end.
func (e Ending) Judge(timeout time.Duration) (*outcome.Result, error) {
	switch {
	case e.Done:
		return nil, nil
	case e.last == nil:
		return nil, fmt.Errorf("a child process ended before its first execution, or between two: %s%s", e.status(), e.firstLine())
	}
	r := &outcome.Result{Execution: e.last.Execution, Seed: e.last.Seed, Setting: e.last.Setting, Goroutines: e.output}
	switch {
	case e.timedOut:
		r.Verdict = verdict.Timeout
		r.Summary = fmt.Sprintf("not done after %v, and the watchdog in its process did not report", timeout)
		if e.stopped {
			r.Summary = fmt.Sprintf("not done after %v", timeout) + process.ByStop
		}
	case outcome.Raced(e.output) || e.code == raceExit:
		r.Verdict = verdict.DataRace
		r.Summary, r.Explanation = outcome.RaceOf(e.output)
	case e.signal != "":
		return nil, fmt.Errorf("a child process was ended from outside in execution %d: %s%s",
			e.last.Execution, e.status(), e.firstLine())
	default:
		r.Summary, r.Explanation = outcome.PanicOf(e.output)
		r.Verdict = verdict.OfPanic(r.Summary)
		if r.Summary == "" {
			r.Summary = "the process ended in the middle of the execution: " + e.status()
		}
	}
	return r, nil
}

func (e Ending) status() string {
	if e.signal != "" {
		return "signal: " + e.signal
	}
	return fmt.Sprintf("exit code %d", e.code)
}

// firstLine returns the first line that the child wrote to standard error, for a message.
func (e Ending) firstLine() string {
	first, _, _ := strings.Cut(strings.TrimSpace(e.output), "\n")
	if first == "" {
		return ""
	}
	return "; it wrote: " + first
}

// mostRequests is how many requests a child serves before it is replaced, so that leftovers of a
// subject do not add up for hours.
const mostRequests = 256

// Spares holds children that have served a request and wait for another one, of any scenario: the start
// of a process takes as long as some dozen controlled executions. Only a child in which no execution has
// failed is kept. The caller must call Close. The zero value is empty.
type Spares struct {
	mu   sync.Mutex
	idle []*child
}

// put keeps a child, or ends it if it has served mostRequests.
func (s *Spares) put(c *child) {
	if c.served >= mostRequests {
		c.dismiss()
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.idle = append(s.idle, c)
}

// take returns a child that still runs, or nil if there is none.
func (s *Spares) take() *child {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.idle) > 0 {
		c := s.idle[len(s.idle)-1]
		s.idle = s.idle[:len(s.idle)-1]
		select {
		case <-c.lines: // it has ended, or writes unrequested output
			c.dismiss()
		default:
			return c
		}
	}
	return nil
}

// Close ends all children.
func (s *Spares) Close() {
	for c := s.take(); c != nil; c = s.take() {
		c.dismiss()
	}
}

// dismiss ends a child that waits for a request: the child exits when its standard input is closed.
func (c *child) dismiss() {
	c.stdin.Close()
	late := time.AfterFunc(graceTime, func() { c.cmd.Process.Kill() }) //nolint:errcheck // it may be gone
	defer late.Stop()
	for range c.lines {
	}
	c.end(&Ending{}) //nolint:errcheck // it has served all its requests
}
