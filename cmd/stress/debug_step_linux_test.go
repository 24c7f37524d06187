package main

import (
	"bufio"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// stepped is a test with an operation of each kind; it always fails. The comments name the lines.
const stepped = `package m

import (
	"sync"
	"testing"
	"time"
)

func add(a, b int) int {
	sum := a + b // add
	return sum
}

func TestStepped(t *testing.T) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	c, d := make(chan int), make(chan int, 1)
	wg.Go(func() {
		x := 1 // first
		mu.Lock() // lock
		x++ // locked
		mu.Unlock() // unlock
		c <- x // send
		x++ // sent
	})
	y := <-c // receive
	y = add(y, 1) // received
	d <- y // buffered
	select {
	case y = <-d: // select
		y++ // selected
	case <-c:
	}
	time.Sleep(time.Millisecond) // sleep
	y++ // slept
	wg.Wait() // wait
	y++ // waited
	early := time.NewTimer(time.Hour) // timer
	<-early.C // fires
	t.Fatal(y) // fatal
}
`

// lineOf returns the place of a comment in stepped.
func lineOf(t *testing.T, comment string) string {
	t.Helper()
	for i, line := range strings.Split(stepped, "\n") {
		if strings.HasSuffix(line, " // "+comment) {
			return fmt.Sprintf("m_test.go:%d", i+1)
		}
	}
	t.Fatalf("no line %q", comment)
	return ""
}

// places returns the selected frames in the output of Delve, one after another.
func places(out string) (all []string) {
	for _, m := range selected.FindAllStringSubmatch(out, -1) {
		all = append(all, m[1])
	}
	return all
}

// recordStepped records a failure of stepped, and returns also its table.
func recordStepped(t *testing.T) (dir, recording, table string) {
	t.Helper()
	t.Setenv("GOFLAGS", "")
	dir = t.TempDir()
	write(t, dir, "go.mod", "module example.com/m\n\ngo 1.25\n")
	write(t, dir, "m_test.go", stepped)
	in(t, dir, plainBinary, "test", "--seed", "1").want(t, 1)
	files, _ := filepath.Glob(filepath.Join(dir, "testdata/chaos/*/*.rouse"))
	if len(files) != 1 {
		t.Fatalf("recordings %q, want one", files)
	}
	return dir, files[0], in(t, dir, plainBinary, "explain", files[0]).out
}

// stepAt returns the number of the first step of the table in which the text is.
func stepAt(t *testing.T, table, text string) string {
	t.Helper()
	m := regexp.MustCompile(`(?m)^ *(\d+) \|.* ` + regexp.QuoteMeta(text) + `(\D|$)`).FindStringSubmatch(table)
	if m == nil {
		t.Fatalf("no step of %s in\n%s", text, table)
	}
	return m[1]
}

// Catches: an operation after which next is refused, stays in the engine, or goes on with another goroutine or line;
// and an execution that is another one after it.
func TestDebugNext(t *testing.T) {
	delve(t)
	dir, recording, table := recordStepped(t)
	for _, c := range [][2]string{
		{"lock", "locked"}, {"send", "sent"}, {"receive", "received"}, {"select", ""}, {"sleep", "slept"}, {"wait", "waited"},
		{"fires", "fatal"}, {"begin", "first"},
	} {
		at := ""
		if c[0] == "begin" {
			at = "begin TestStepped.func1"
		} else {
			at = lineOf(t, c[0])
		}
		got := typed(t, dir, "next\ncontinue\n", plainBinary, "debug", recording, "--step", stepAt(t, table, at))
		frames := places(got.out)
		switch {
		case len(frames) != 2 || c[0] != "begin" && c[0] != "select" && frames[0] != at:
			t.Errorf("%s at %s: the frames are %q:\n%s%s", c[0], at, frames, got.errs, got.out)
		case c[1] != "" && frames[1] != lineOf(t, c[1]):
			t.Errorf("next after %s is at %s, want %s", c[0], frames[1], lineOf(t, c[1]))
		case c[1] == "" && (frames[1] < lineOf(t, "select") || frames[1] >= lineOf(t, "sleep")): // a case, in the order of the compiler
			t.Errorf("next after %s is at %s", c[0], frames[1])
		}
		if !strings.Contains(got.out, "\nas recorded, with an equal trace hash\n") {
			t.Errorf("%s: it does not end as recorded:\n%s", c[0], got.out)
		}
	}
}

// Catches: a stack that begins with the engine's frames, or does not have them with -all; frames whose numbers are not
// those of the command frame; a step and a stepout that are not the user's.
func TestDebugStack(t *testing.T) {
	delve(t)
	dir, recording, table := recordStepped(t)
	args := []string{"debug", recording, "--step", stepAt(t, table, lineOf(t, "lock"))}
	got := typed(t, dir, "stack\nup\ndown\nstack -all\nstack -full 1\nstack -defer\nstep\ncontinue\n", plainBinary, args...)
	stacks := regexp.MustCompile(`(?m)^(?:\(dlv\) )*(\d+)  (\S+)\n    at \S*?([\w.]+:\d+)$`).FindAllStringSubmatch(got.out, -1)
	number := regexp.MustCompile(`(?m)^Frame (\d+):`).FindStringSubmatch(got.out)
	if len(stacks) == 0 || number == nil || stacks[0][1] != number[1] || stacks[0][2] != "example.com/m.TestStepped.func1" || stacks[0][3] != lineOf(t, "lock") {
		t.Fatalf("the stack begins with %q, frame %q is selected:\n%s%s", stacks, number, got.errs, got.out)
	}
	if all := slices.IndexFunc(stacks, func(f []string) bool { return f[1] == "0" }); all < 0 || !strings.Contains(stacks[all][2], "rouse/chaos") {
		t.Errorf("-all shows %q", stacks)
	}
	for _, want := range []string{"frames below, of the operation and the engine", "x = 1", `found -defer, want a depth, -full or -all`} {
		if !strings.Contains(got.out+got.errs, want) {
			t.Errorf("no %q:\n%s%s", want, got.errs, got.out)
		}
	}
	if frames := places(got.out); len(frames) != 4 || frames[1] == frames[0] || frames[2] != frames[0] || frames[3] != lineOf(t, "locked") {
		t.Errorf("up, down and step select %q", frames)
	}
	got = typed(t, dir, "stepout\ncontinue\n", plainBinary, args...)
	if frames := places(got.out); len(frames) != 2 || strings.HasPrefix(frames[1], "m_test.go") {
		t.Errorf("stepout selects %q:\n%s", frames, got.out)
	}
}

// Catches: a breakpoint of the user's that fires in an execution after the recorded one; steps from it that are others
// than plain Delve's; a breakpoint that comes before the operation is done, and is passed.
func TestDebugBreakpoints(t *testing.T) {
	delve(t)
	dir, recording, table := recordStepped(t)
	text := "break " + lineOf(t, "add") + "\ncontinue\nnext\nprint sum\nup\nnext\ndown\nstepout\ncontinue\n"
	got := typed(t, dir, text, plainBinary, "debug", recording, "--step", stepAt(t, table, lineOf(t, "lock")))
	frames := places(got.out)
	if hits := strings.Count(got.out, "> [Breakpoint 1]"); hits != 1 {
		t.Errorf("the breakpoint fires %d times:\n%s", hits, got.out)
	}
	if len(frames) != 5 || frames[2] != lineOf(t, "received") || frames[4] != frames[2] || !strings.Contains(got.out, "\n(dlv) 7\n") && !strings.Contains(got.out, "(dlv) 3\n") {
		t.Errorf("%q:\n%s%s", frames, got.errs, got.out)
	}
	if !strings.Contains(got.errs+got.out, "not on topmost frame") || !strings.Contains(got.out, "\nas recorded, with an equal trace hash\n") {
		t.Errorf("%s%s", got.errs, got.out)
	}
	text = "break " + lineOf(t, "locked") + "\nnext\ncontinue\n" // main waits for what comes after it
	got = typed(t, dir, text, plainBinary, "debug", recording, "--step", stepAt(t, table, lineOf(t, "receive")))
	if frames := places(got.out); len(frames) != 2 || frames[1] != lineOf(t, "locked") || !strings.Contains(got.out, "\nas recorded, ") {
		t.Errorf("%q:\n%s%s", frames, got.errs, got.out)
	}
	text = "break " + lineOf(t, "locked") + "\nnext\nnext\ncontinue\n" // the address to which the operation returns
	got = typed(t, dir, text, plainBinary, "debug", recording, "--step", stepAt(t, table, lineOf(t, "lock")))
	if frames := places(got.out); len(frames) != 3 || frames[1] != lineOf(t, "locked") || frames[2] != lineOf(t, "unlock") || strings.Contains(got.out+got.errs, "failed") {
		t.Errorf("%q:\n%s%s", frames, got.errs, got.out)
	}
}

// Catches: a decisive step of a goroutine of package context; one that is asked for, where the program does not stop.
func TestDebugStandard(t *testing.T) {
	delve(t)
	t.Setenv("GOFLAGS", "")
	dir := t.TempDir()
	write(t, dir, "go.mod", "module example.com/m\n\ngo 1.25\n")
	write(t, dir, "m_test.go", `package m

import (
	"context"
	"testing"
	"time"
)

func TestSlot(t *testing.T) {
	slots := make(chan struct{}, 1)
	read := func(ctx context.Context) {
		slots <- struct{}{}
		select {
		case <-time.After(10 * time.Millisecond):
			<-slots
		case <-ctx.Done(): // the slot is kept
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	read(ctx)
	read(context.Background())
}
`)
	in(t, dir, plainBinary, "test", "--seed", "1").want(t, 1)
	files, _ := filepath.Glob(filepath.Join(dir, "testdata/chaos/*/*.rouse"))
	if len(files) != 1 {
		t.Fatalf("recordings %q, want one", files)
	}
	table := in(t, dir, plainBinary, "explain", files[0]).out
	if !regexp.MustCompile(`(?m)^fails +if the begin of main/0 comes before`).MatchString(table) {
		t.Fatalf("no goroutine of package context decides:\n%s", table)
	}
	got := typed(t, dir, "next\ncontinue\n", plainBinary, "debug", files[0])
	if frames := places(got.out); len(frames) != 2 || frames[0] != "m_test.go:13" || frames[1] != "m_test.go:16" {
		t.Errorf("it stops and steps at %q:\n%s%s", frames, got.errs, got.out)
	}
	begins := regexp.MustCompile(`(?m)^ *(\d+) \| \| +begin`).FindStringSubmatch(table)
	if begins == nil {
		t.Fatalf("no begin:\n%s", table)
	}
	got = typed(t, dir, "print 40+2\ncontinue\n", plainBinary, "debug", files[0], "--step", begins[1])
	if !strings.Contains(got.out, "it begins in context.WithDeadlineCause") || !strings.Contains(got.out, "42\n") {
		t.Errorf("step %s:\n%s%s", begins[1], got.errs, got.out)
	}
}

// Catches: a terminal that connects, without the stop or the commands.
func TestDebugConnects(t *testing.T) {
	delve(t)
	dir, recording, table := recordStepped(t)
	cmd := exec.Command(plainBinary, "debug", recording, "--step", stepAt(t, table, lineOf(t, "lock")), "--listen", "127.0.0.1:0")
	cmd.Dir = dir
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = cmd.Stdout
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines, address, connect := bufio.NewScanner(out), "", ""
	for address == "" && lines.Scan() {
		if strings.HasPrefix(lines.Text(), "dlv connect ") {
			connect = lines.Text()
		}
		_, address, _ = strings.Cut(lines.Text(), "listening at: ")
	}
	text := make(chan string)
	go func() {
		rest := ""
		for lines.Scan() {
			rest += lines.Text() + "\n"
		}
		text <- rest
	}()
	connect = strings.Replace(connect, "127.0.0.1:0", "--allow-non-terminal-interactive=true "+address, 1)
	got := typed(t, dir, "next\ncontinue\n", "sh", "-c", connect)
	frames, rest := places(got.out), <-text
	if len(frames) != 2 || frames[0] != lineOf(t, "lock") || frames[1] != lineOf(t, "locked") || !strings.Contains(rest, "\nas recorded, ") {
		t.Errorf("%s: %q\n%s%s\n%s", connect, frames, got.errs, got.out, rest)
	}
	cmd.Wait() //nolint:errcheck // how Delve ends a process that has exited is its own
}
