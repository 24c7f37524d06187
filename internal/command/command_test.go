package command_test

import (
	"strings"
	"syscall"
	"testing"

	"github.com/rouse-go/rouse/internal/command"
	"github.com/rouse-go/rouse/internal/command/commandtest"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestFullOutput: what cannot be printed is the tool's failure, also what cobra prints.
func TestFullOutput(t *testing.T) {
	var errs strings.Builder
	code := command.Run(t.Context(), command.NewRoot("name", "For this test."), []string{"--help"}, commandtest.Full{}, &errs)
	if code != command.ExitTool || !strings.Contains(errs.String(), syscall.ENOSPC.Error()) {
		t.Errorf("exit code %d: %s", code, &errs)
	}
}
