//go:build unix

package stdout

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"go.uber.org/goleak"
)

const childEnv = "ROUSE_TEST_STDOUT"

func TestMain(m *testing.M) {
	if os.Getenv(childEnv) != "" {
		fmt.Fprint(os.Stderr, Replaced())
		return
	}
	goleak.VerifyTestMain(m)
}

// TestReplaced: what is closed cannot be written, what is thrown away can.
func TestReplaced(t *testing.T) {
	for redirection, want := range map[string]string{
		">&-":            "write /dev/stdout: standard output is closed ",
		">&- <&-":        "write /dev/stdout: standard output is closed ",
		">/dev/null":     "<nil>",
		">>/dev/null":    "<nil>",
		"| cat >&2":      "<nil>",
		"1<>/dev/null":   "standard output is closed (or /dev/null",
		"<&- >/dev/null": "<nil>",
	} {
		cmd := exec.Command("sh", "-c", `"$0" `+redirection, os.Args[0])
		cmd.Env = append(os.Environ(), childEnv+"=1")
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), want) {
			t.Errorf("%s: it says %q, %v; want %s", redirection, out, err, want)
		}
	}
}

// failing fails each time in another way.
type failing []error

func (f *failing) Write([]byte) (int, error) {
	err := (*f)[0]
	*f = (*f)[1:]
	return 0, err
}

func TestSinkKeepsTheFirstError(t *testing.T) {
	pipe := &os.PathError{Op: "write", Path: "|1", Err: syscall.EPIPE}
	for _, c := range []struct {
		errs   failing
		want   error
		unread int
	}{
		{failing{nil, nil}, nil, 0},
		{failing{nil, syscall.ENOSPC, pipe}, syscall.ENOSPC, 0},
		{failing{nil, pipe, pipe, syscall.ENOSPC}, pipe, 1},
		{failing{errNotOpen, pipe}, errNotOpen, 0},
	} {
		unread := 0
		s := Sink{Writer: &c.errs, Unread: func(err error) {
			if unread++; !errors.Is(err, c.want) {
				t.Errorf("no reader: %v, want %v", err, c.want)
			}
		}}
		for len(c.errs) > 0 {
			io.WriteString(&s, "text") //nolint:errcheck // the sink keeps it
		}
		if s.Err != c.want || unread != c.unread {
			t.Errorf("%v, no reader %d times; want %v, %d", s.Err, unread, c.want, c.unread)
		}
	}
}
