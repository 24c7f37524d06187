package corpus

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// hang is how long a test may take that natively takes milliseconds.
const hang = 5 * time.Second

// A native run repeats a test of a built binary until it fails.
type native struct {
	test  string
	limit time.Duration

	mu    sync.Mutex
	began int       // executions
	last  time.Time // when the last one began
	text  bytes.Buffer
}

// line takes a line that the binary prints.
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
	cmd := exec.Command(binary, "-test.run=^"+n.test+"$", "-test.v", "-test.failfast", "-test.count=1000000000", "-test.timeout=1h")
	cmd.Dir = dir
	read, write := io.Pipe()
	cmd.Stdout, cmd.Stderr = write, write
	start := time.Now()
	n.last = start
	if err := cmd.Start(); err != nil {
		return nil, err
	}
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
	ended := make(chan error, 1)
	go func() {
		err := cmd.Wait()
		write.Close()
		ended <- err
	}()
	attempt := &Attempt{}
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for attempt.Outcome == "" {
		select {
		case err := <-ended:
			lines.Wait()
			return n.ended(err, time.Since(start))
		case <-ctx.Done():
			attempt.Outcome = NotFound
		case <-tick.C:
			attempt = n.look(start)
		}
	}
	if err := cmd.Process.Kill(); err != nil {
		return nil, err
	}
	<-ended
	lines.Wait()
	return attempt, context.Cause(ctx)
}

// look looks at a run that goes on: it may hang, or be over its limit.
func (n *native) look(start time.Time) *Attempt {
	n.mu.Lock()
	defer n.mu.Unlock()
	switch {
	case time.Since(n.last) > hang:
		return &Attempt{Found, "a hang", n.began, rounded(n.last.Sub(start).Milliseconds())}
	case time.Since(start) > n.limit && time.Since(n.last) < n.limit/4:
		return &Attempt{NotFound, "", n.began, rounded(time.Since(start).Milliseconds())}
	}
	return &Attempt{}
}

// ended says what a run came to that has ended, which it does only if the test fails.
func (n *native) ended(err error, after time.Duration) (*Attempt, error) {
	var exit *exec.ExitError
	text := n.text.String()
	if !errors.As(err, &exit) {
		return nil, errors.Join(err, errors.New("the test binary has ended without a failure: "+text))
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
	return &Attempt{Found, by, n.began, rounded(after.Milliseconds())}, nil
}
