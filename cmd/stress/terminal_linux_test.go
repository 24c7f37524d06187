package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// terminal opens a pseudo-terminal: what is written to tty can be read from master.
func terminal(t *testing.T) (master, tty *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	tty, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetWinsize(int(tty.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 30, Col: 100}); err != nil {
		t.Fatal(err)
	}
	return master, tty
}

// A transcript is what was written to a terminal.
type transcript struct {
	mu   sync.Mutex
	text bytes.Buffer
	more *sync.Cond
}

func readTerminal(master io.Reader) *transcript {
	tr := &transcript{}
	tr.more = sync.NewCond(&tr.mu)
	go func() {
		for b := make([]byte, 4096); ; {
			n, err := master.Read(b)
			tr.mu.Lock()
			tr.text.Write(b[:n])
			if err != nil {
				tr.text.WriteString("\x00")
			}
			tr.mu.Unlock()
			tr.more.Broadcast()
			if err != nil {
				return
			}
		}
	}()
	return tr
}

// await returns what there is when it holds that, or when there is no more.
func (tr *transcript) await(text string) string {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	for !bytes.Contains(tr.text.Bytes(), []byte(text)) && !bytes.HasSuffix(tr.text.Bytes(), []byte("\x00")) {
		tr.more.Wait()
	}
	return tr.text.String()
}

// TestLiveOnTerminal: a campaign shows itself on a terminal, and at ^C takes the display off and
// leaves the terminal as it was. JSON lines on standard output have none of it.
func TestLiveOnTerminal(t *testing.T) {
	for _, json := range []bool{false, true} {
		dir := t.TempDir()
		master, tty := terminal(t)
		before, err := unix.IoctlGetTermios(int(tty.Fd()), unix.TCGETS)
		if err != nil {
			t.Fatal(err)
		}
		args := []string{"run", "--for", "1h", "window-registered", "window-fenced"}
		if json {
			args = append(args, "--json", "-")
		}
		cmd := exec.Command(chaosBinary, args...)
		cmd.Env = append(os.Environ(), "TERM=xterm")
		cmd.Dir, cmd.Stdout, cmd.Stderr = dir, tty, tty
		var lines bytes.Buffer
		if json {
			cmd.Stdout = &lines
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		tr := readTerminal(master)
		shown := tr.await("delay at sleep/")
		for _, want := range []string{"[2/2, turn ", "window-registered: ", "/s\r\n", "since the beginning, about 59m", "all as expected", "\x1b[J"} {
			if !strings.Contains(shown, want) && !strings.Contains(tr.await(want), want) {
				t.Errorf("no %q in %q", want, shown)
			}
		}
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		cmd.Wait() //nolint:errcheck // the exit code says it
		if code := cmd.ProcessState.ExitCode(); code != 130 {
			t.Errorf("exit code %d, want 130", code)
		}
		after, err := unix.IoctlGetTermios(int(tty.Fd()), unix.TCGETS)
		if err != nil || *after != *before {
			t.Errorf("%v: the terminal's mode is %+v, was %+v", err, after, before)
		}
		tty.Close()
		all := tr.await("\x00")
		master.Close()
		if end := all[strings.LastIndex(all, "\x1b[J")+3:]; !strings.Contains(end, "interrupted: ") || strings.Contains(end, "[2/2") {
			t.Errorf("the end is %q", end)
		}
		if strings.Contains(all, "\x1b[?") {
			t.Errorf("a mode was set: %q", all)
		}
		if json {
			kinds(t, lines.String())
		}
	}
}

// shownOnTerminal runs a command on a terminal, and returns what it has shown.
func shownOnTerminal(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	master, tty := terminal(t)
	defer master.Close()
	cmd.Stdout, cmd.Stderr = tty, tty
	all := readTerminal(master)
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	tty.Close()
	return all.await("\x00")
}
