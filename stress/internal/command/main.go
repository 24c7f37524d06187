package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/internal/plain"
	"github.com/rouse-go/rouse/internal/stdout"
	"github.com/rouse-go/rouse/stress/internal/run"
	"github.com/rouse-go/rouse/stress/scenario"
	"github.com/rouse-go/rouse/stress/subject"
)

// Main is the main function of a program that stresses the subjects: the command line of
// cmd/stress, with their scenarios. It does not return. The subjects' names must differ,
// and there must be at least one.
func Main(subjects ...subject.Subject) {
	run.ChildMain(subjects...)
	if err := checkSubjects(subjects); err != nil {
		panic("stress: " + err.Error())
	}
	ctx, stop := untilSignalled()
	code := (&program{subjects}).run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// checkSubjects requires at least one subject, each with its own name.
func checkSubjects(subjects []subject.Subject) error {
	names := map[string]bool{}
	for _, s := range subjects {
		if names[s.Name] {
			return fmt.Errorf("two subjects are called %s", s.Name)
		}
		names[s.Name] = true
	}
	if len(subjects) == 0 {
		return errors.New("Main wants at least one subject")
	}
	return nil
}

// A program is a command line with the subjects that it stresses.
type program struct{ subjects []subject.Subject }

// run executes the command line and returns the exit code.
func (m *program) run(ctx context.Context, args []string, out, errs io.Writer) int {
	root := m.newRoot()
	args, err := normalArgs(root, args)
	root.SetArgs(args)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	kept := &stdout.Sink{Writer: out, Unread: cancel}
	errs = plain.NewWriter(errs) // all text for people goes through these two
	root.SetOut(plain.NewWriter(kept))
	root.SetErr(errs)
	ran := root
	if err == nil {
		ran, err = root.ExecuteContextC(ctx)
	}
	var exit *ExitError
	switch {
	case errors.As(err, &exit):
	case kept.Err != nil: // cobra ignores errors of what it prints
		exit = Failed(kept.Err)
	case err == nil:
		return 0
	default:
		exit = Usage("%w", err)
	}
	if exit.Code == exitUsage && !hooks.Enabled && needsTag(ran) {
		exit.Err = scenario.ErrNotChaos
	}
	if exit.Err != nil {
		fmt.Fprintln(errs, "stress:", exit.Err)
	}
	return exit.Code
}
