package corpus

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"

	"go.uber.org/goleak"
)

// folder has the tool, once a test has needed it.
var folder string

func TestMain(m *testing.M) { goleak.VerifyTestMain(withFolder{m}) }

type withFolder struct{ *testing.M }

func (m withFolder) Run() int {
	var err error
	if folder, err = os.MkdirTemp("", "corpus-test-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(folder)
	return m.M.Run()
}

var build = sync.OnceValues(func() (Tool, error) { return Build(context.Background(), ".", folder) })

// builtTool returns the tool, which is built once for all tests.
func builtTool(t *testing.T) Tool {
	t.Helper()
	tool, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return tool
}
