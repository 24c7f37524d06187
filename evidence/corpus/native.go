package corpus

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/rouse-go/rouse/internal/process"
)

// hang is the time after which a test that natively takes milliseconds counts as hanging.
const hang = 5 * time.Second

// perProcess is the maximum number of executions in a process, which keeps the leaks of a test.
const perProcess = 10_000

// raceLimit is printed by a process that ends because the race detector can't follow more goroutines.
const raceLimit = "race: limit on "

// A native run repeats a test of a built binary until it fails.
type native struct {
	test        string
	limit       time.Duration
	binary, dir string
	start       time.Time

	mu    sync.Mutex
	began int       // executions
	last  time.Time // when the last one began; zero if none has begun in this process
	text  bytes.Buffer
}

// line handles a line of the binary's output.
func (n *native) line(text string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if text == "=== RUN   "+n.test {
		n.began++
		n.last = time.Now()
		n.text.Reset()
		return
	}
	if n.text.Len() < 1<<16 {
		n.text.WriteString(text + "\n")
	}
}

// run runs the binary until the test fails, hangs or has been tried for the limit.
func (n *native) run(ctx context.Context, binary, dir string) (*Attempt, error) {
	n.binary, n.dir, n.start = binary, dir, time.Now()
	for {
		attempt, err := n.process(ctx)
		if err != nil || attempt.Outcome != "" {
			return attempt, err
		}
	}
}

// process runs one process. The outcome is "" if another process should go on.
func (n *native) process(ctx context.Context) (*Attempt, error) {
	ctx, kill := context.WithCancel(ctx)
	defer kill()
	cmd := process.Command(ctx, n.binary, "-test.run=^"+n.test+"$", "-test.v", "-test.failfast", fmt.Sprintf("-test.count=%d", perProcess), "-test.timeout=1h")
	cmd.Dir = n.dir
	cmd.Env = append(os.Environ(), fmt.Sprintf("GOMAXPROCS=%d", processors()))
	read, write := io.Pipe()
	cmd.Stdout, cmd.Stderr = write, write
	n.text.Reset()
	n.last = time.Time{}
	ended := make(chan error, 1)
	go func() {
		err := process.Run(cmd)
		write.Close()
		ended <- err
	}()
	var lines sync.WaitGroup
	lines.Go(func() {
		in := bufio.NewReader(read)
		for {
			text, err := in.ReadString('\n')
			n.line(strings.TrimSuffix(text, "\n"))
			if err != nil {
				return
			}
		}
	})
	attempt := &Attempt{}
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for attempt.Outcome == "" {
		select {
		case err := <-ended:
			lines.Wait()
			if cause := context.Cause(ctx); cause != nil {
				return nil, cause
			}
			return n.ended(err)
		case <-tick.C:
			attempt = n.look()
		}
	}
	kill()
	<-ended
	lines.Wait()
	return attempt, nil
}

// processors returns the number of processors of a test: at least two, or a switch would only come with
// the next pause.
func processors() int { return max(2, runtime.NumCPU()) }

// look checks whether a run that goes on hangs, or is over its limit.
func (n *native) look() *Attempt {
	n.mu.Lock()
	defer n.mu.Unlock()
	switch {
	case n.last.IsZero():
	case time.Since(n.last) > hang:
		return &Attempt{Found, "a hang", n.began, rounded(n.last.Sub(n.start).Milliseconds())}
	case time.Since(n.start) > n.limit && time.Since(n.last) < n.limit/4:
		return &Attempt{NotFound, "", n.began, rounded(time.Since(n.start).Milliseconds())}
	}
	return &Attempt{}
}

// ended returns the result of a process that has ended: the test has failed, or another process goes on.
func (n *native) ended(err error) (*Attempt, error) {
	text := n.text.String()
	if n.began > 0 && (err == nil || strings.Contains(text, raceLimit)) {
		return n.look(), nil
	}
	var exit *exec.ExitError
	if n.began == 0 || !errors.As(err, &exit) {
		return nil, errors.Join(err, errors.New("the test has not run: "+text))
	}
	by := "a failure"
	for _, w := range []struct{ text, by string }{
		{"DATA RACE", "a data race"}, {"found unexpected goroutines", "a leak"}, {"all goroutines are asleep", "a deadlock"}, {"deadlock: ", "a deadlock"}, {"panic: ", "a panic"}, {"fatal error: ", "a panic"},
	} {
		if strings.Contains(text, w.text) {
			by = w.by
			break
		}
	}
	return &Attempt{Found, by, n.began, rounded(time.Since(n.start).Milliseconds())}, nil
}
