package remote

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/rouse-go/rouse/chaos/native"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/internal/input"
)

// planEnv is the variable that holds a plan, or the name of a file that does.
const planEnv = "CHAOS_PLAN"

// Enable returns a Faults that has armed the plan in $CHAOS_PLAN, if there is one. Call it in main,
// before anything is served: if the plan or $CHAOS_TOKEN is wrong, it writes a line to standard
// error and ends the process with exit code 2. Without $CHAOS_TOKEN it logs the token that it has
// drawn. In a binary without hook points it logs that nothing is armed.
func Enable(options ...Option) *Faults {
	f := New(options...)
	if code := f.enable(os.Stderr); code != 0 {
		os.Exit(code)
	}
	return f
}

func (f *Faults) enable(errs io.Writer) (exitCode int) {
	if f.badToken != nil && hooks.Enabled {
		fmt.Fprintf(errs, "chaos: %v\n", f.badToken)
		return 2
	}
	switch err := f.ArmEnv(); {
	case errors.Is(err, native.ErrNotChaos):
		fmt.Fprintf(errs, "chaos: %v; nothing is armed\n", err)
	case err != nil:
		fmt.Fprintf(errs, "chaos: %v\n", err)
		return 2
	case f.drawn && hooks.Enabled:
		fmt.Fprintf(errs, "chaos: $%s is not set; to arm or disarm by HTTP takes the header Authorization: Bearer %s\n", tokenEnv, f.token)
	}
	return 0
}

// ArmEnv arms the plan in $CHAOS_PLAN, if there is one. Errors are those of Arm, and those of
// reading the file.
func (f *Faults) ArmEnv() error {
	text, name := os.Getenv(planEnv), "$"+planEnv
	if text == "" {
		return nil
	}
	if !hooks.Enabled {
		return native.ErrNotChaos
	}
	if !isPlan(text) {
		data, err := readPlan(text)
		if err != nil {
			return fmt.Errorf("%s: found neither a plan such as {at: package/what, fault: yield} nor a file that can be read: %w", name, err)
		}
		name, text = text, data
	}
	if err := f.Arm(name, text, false); err != nil {
		if name == "$"+planEnv {
			return err
		}
		return fmt.Errorf("$%s: %w", planEnv, err)
	}
	return nil
}

// isPlan distinguishes a plan from the name of a file.
func isPlan(text string) bool {
	return strings.ContainsAny(text, "{[\n") || strings.Contains(text, ": ")
}

// readPlan reads a file, up to the size of the largest plan.
func readPlan(path string) (string, error) {
	data, err := input.Read(path, maxPlan)
	var refused *input.Error
	if errors.As(err, &refused) {
		return "", fmt.Errorf("%s: %w", clip(path), err)
	}
	return string(data), err
}
