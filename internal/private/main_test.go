package private

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if os.Getenv(childEnv) != "" {
		child()
		return
	}
	goleak.VerifyTestMain(m)
}

const childEnv = "ROUSE_TEST_PRIVATE"

// child makes a temporary folder with something in it, says where, and waits to be killed.
func child() {
	dir, _, err := Temporary("rouse-test")
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "file"), []byte("text"), 0o600)
	}
	fmt.Println(dir, err)
	io.Copy(io.Discard, os.Stdin) //nolint:errcheck // its end is the parent's
}
