//go:build unix

package campaign

import (
	"errors"
	"os"
	"strconv"
	"syscall"
	"testing"
)

// alive reports whether the process whose pid is in the file exists.
func alive(t *testing.T, file string) bool {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(string(data))
	if err != nil {
		t.Fatal(err)
	}
	return !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
}
