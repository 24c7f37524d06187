package command

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/internal/process"
	"github.com/rouse-go/rouse/internal/shell"
	"github.com/rouse-go/rouse/stress/internal/run"
	"github.com/rouse-go/rouse/stress/internal/suite"
)

func newDebug(m *program) *cobra.Command {
	var step stepFlag
	var listen string
	c := &cobra.Command{
		Use:   "debug FILE",
		Short: "Stop a recorded execution at one of its steps, in the debugger Delve",
		Long: `Build what was recorded for the debugger Delve (dlv), repeat the recording there, and stop before a
step, on the goroutine whose step it is, with the frame of your own code selected. Then the prompt is
Delve's. From the stop next, step and stepout let the operation finish first, so that they go on in your
code; stack shows your frames first. Continuing ends in the recorded failure, if the code is the recorded
one, and no other execution follows.

The steps are those of stress explain. Without --step it is the decisive one, which is found first: the
first of the two operations that the line "fails" names, or else that of the panic or the data race, or
the last one that is explained. All steps are shown with their numbers before it stops then.

FILE is a recording of stress test, of a controlled scenario, or of chaos.Explore in a Go test. Time
stands still while you think: no limit of the execution is in real time.

With --listen Delve serves an editor or dlv connect at that address, in place of the terminal. If dlv is not
on the PATH, the command that runs it is printed, and the binary stays.`,
		Example: `  stress debug testdata/chaos/TestClose/5be0cd19137e2179.rouse
  stress debug testdata/chaos/TestClose/5be0cd19137e2179.rouse --step 8
  # for an editor, which attaches to a remote Delve
  stress debug testdata/chaos/TestClose/5be0cd19137e2179.rouse --listen localhost:2345`,
		Annotations:       map[string]string{anyBuild: ""},
		Args:              oneArg("FILE", "a recording"),
		ValidArgsFunction: recordingArg,
		RunE: func(c *cobra.Command, args []string) error {
			if listen != "" {
				if _, _, err := net.SplitHostPort(listen); err != nil {
					return Usage("--listen: %w; want an address such as localhost:2345", err)
				}
			}
			return m.debug(c, args[0], int(step), listen)
		},
	}
	c.Flags().Var(&step, "step", "`number` of the step, as stress explain shows it (default: the decisive one)")
	c.Flags().StringVar(&listen, "listen", "", "`address` at which Delve serves an editor, in place of the terminal")
	return c
}

// A stepFlag is the number of a step, from 1; 0 means not given.
type stepFlag int

func (s *stepFlag) Type() string { return "number" }

func (s *stepFlag) String() string {
	if *s == 0 {
		return ""
	}
	return strconv.Itoa(int(*s))
}

func (s *stepFlag) Set(text string) error {
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil || n == 0 {
		return errors.New("want the number of a step, from 1")
	}
	*s = stepFlag(n)
	return nil
}

func (m *program) debug(c *cobra.Command, name string, step int, listen string) error {
	rec, err := m.readRecorded(c, name)
	switch {
	case err != nil:
		return err
	case !rec.Kind.Scheduled():
		return Usage("%s: it is a %s recording, which has no schedule to repeat exactly", rec.File, rec.Kind)
	}
	folder, remove, err := suite.Temporary("stress-debug")
	if err != nil {
		return Failed(err)
	}
	kept := false
	defer func() {
		if !kept {
			remove() //nolint:errcheck // the next one removes it
		}
	}()
	p := newPrinter(c)
	d, err := p.debuggee(c, rec, step, folder)
	if err != nil {
		return err
	}
	defer d.RemoveMade()
	if step > 0 {
		err = reaches(c.Context(), d, step)
	} else if d.Step == 0 {
		err = decide(c.Context(), d)
	}
	if err != nil {
		return err
	}
	for _, line := range d.Said {
		p.line("%s", line)
	}
	command, err := delve(d, folder, listen)
	if err != nil {
		return Failed(err)
	}
	if _, err := exec.LookPath(command[0]); err != nil {
		kept = true
		p.line("dlv is not on the PATH: go install github.com/go-delve/delve/cmd/dlv@latest installs it. Then run,")
		p.line("before another command of stress, which removes the binary:")
		p.line("%s", shell.Command(append(append([]string{"env"}, d.Set...), command...)...))
		return p.end()
	}
	if listen != "" {
		p.line("attach to %s: the remote configuration of an editor, and continue; or", listen)
		p.line("%s", shell.Command("dlv", "connect", "--init", initFile(folder), listen))
	}
	if p.err != nil {
		return p.end()
	}
	return inTerminal(c.Context(), d, command)
}

// debuggee builds the program of a recording, in the given folder.
func (p *printer) debuggee(c *cobra.Command, rec *run.Recording, step int, folder string) (*suite.Program, error) {
	file, err := filepath.Abs(rec.File)
	if err != nil {
		return nil, Failed(err)
	}
	binary := filepath.Join(folder, "debuggee")
	switch {
	case rec.Origin() == recording.OfStressTest:
		o := unmodified()
		o.Doing = func(what string) { fmt.Fprintln(c.ErrOrStderr(), what) } //nolint:errcheck // it is the progress
		d, err := suite.Debuggee(c.Context(), o, rec.File, rec.Recording, step, folder)
		if err != nil {
			return nil, failedTests(err)
		}
		return d, nil
	case rec.Scenario == nil:
		return exploring(c.Context(), rec, step, file, folder, binary)
	}
	dir, err := os.Getwd()
	if err != nil {
		return nil, Failed(err)
	}
	d := &suite.Program{Binary: binary, Args: run.DebugArgs(file, step), Dir: dir, Step: step}
	if why := buildSelf(c.Context(), rec.Recording, binary); why != nil {
		if err := c.Context().Err(); err != nil {
			return nil, Failed(context.Cause(c.Context()))
		}
		p.line("this program is debugged as it is, and variables may be missing: it cannot be built here: %v", why)
		if d.Binary, err = os.Executable(); err != nil {
			return nil, Failed(err)
		}
	}
	return d, nil
}

// noStep matches the message of explore.Search.Debug for a step that the execution does not have.
var noStep = regexp.MustCompile(`there is no step \d+: the execution has (\d+)`)

// reaches runs the program to debug without a debugger, and returns an error for a step that the execution does not
// have. If the execution has the step, the program ends there.
func reaches(ctx context.Context, d *suite.Program, step int) error {
	out, err := d.Run(ctx, suite.DefaultTimeout, process.Share(1))
	switch m := noStep.FindStringSubmatch(out); {
	case err != nil:
		return failedTests(err)
	case m != nil:
		return Usage("--step %d: the last step of the execution is %s", step, m[1])
	}
	return nil
}

// stopped matches what explore.Search.Debug says of a stop, and what it says before.
var stopped = regexp.MustCompile(`(?s)^(?:=== RUN [^\n]*\n)*(.*?)stops before step (\d+), of `)

// decide has the program find the decisive step without a debugger, so that breakpoints do not fire in the executions
// that this takes. The step is the end of the program's last argument.
func decide(ctx context.Context, d *suite.Program) error {
	out, err := d.Run(ctx, suite.DefaultTimeout, process.Share(1))
	if err != nil {
		return failedTests(err)
	}
	if m := stopped.FindStringSubmatch(out); m != nil { // or else it says in the debugger why it does not stop
		last := &d.Args[len(d.Args)-1]
		*last = strings.TrimSuffix(*last, "0") + m[2]
		d.Step, _ = strconv.Atoi(m[2])
		d.Said = strings.Split(strings.TrimRight(m[1], "\n"), "\n")
	}
	return nil
}

// unoptimised are build flags for a debugger, for all packages but the standard library.
var unoptimised = []string{"-gcflags=all=-N -l", "-gcflags=std="}

// exploring builds the test of a recording of chaos.Explore. Folders of testing.T.TempDir are in the folder.
func exploring(ctx context.Context, rec *run.Recording, step int, file, folder, binary string) (*suite.Program, error) {
	_, test, err := rec.Test()
	if err != nil {
		return nil, Usage("%s: %w", rec.File, err)
	}
	dir, _, err := suite.PackageFolder(ctx, unmodified(), rec.File, rec.Recording)
	if err != nil {
		return nil, failedTests(err)
	}
	args := append([]string{"test", "-c", "-vet=off", "-o", binary}, rec.BuildFlags()...)
	if err := build(ctx, dir, append(args, unoptimised...)...); err != nil {
		return nil, err
	}
	return &suite.Program{Binary: binary, Dir: dir, Step: step, Set: []string{"GOTMPDIR=" + folder}, Temporary: folder, Args: []string{
		"-test.run=" + recording.Pattern(test), "-test.timeout=0", "-test.v", "-chaos.replay=" + file, "-chaos.stop=" + strconv.Itoa(step),
	}}, nil
}

// buildSelf builds this program.
func buildSelf(ctx context.Context, rec *recording.Recording, binary string) error {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Path == "" || info.Path == "command-line-arguments" {
		return errors.New("the path of its package is unknown")
	}
	args := []string{"build", "-o", binary}
	flags := rec.BuildFlags()
	if i := slices.Index(flags, "-cpu"); i >= 0 { // of go test; a child has one anyway
		flags = slices.Delete(flags, i, i+2)
	}
	args = append(append(args, flags...), unoptimised...)
	return build(ctx, "", append(args, strings.TrimSuffix(info.Path, ".test"))...)
}

// build runs the go command.
func build(ctx context.Context, dir string, args ...string) error {
	cmd := process.Command(ctx, "go", args...)
	cmd.Dir = dir
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := process.Run(cmd)
	switch {
	case ctx.Err() != nil:
		return Failed(context.Cause(ctx))
	case err != nil && cmd.ProcessState == nil:
		return Failed(fmt.Errorf("the go command: %w", err))
	case err != nil:
		return Usage("%s", strings.TrimSpace(out.String()))
	}
	return nil
}

//go:embed debug.star
var delveScript string

// delve returns the command that runs Delve.
func delve(d *suite.Program, folder, listen string) ([]string, error) {
	first := ""
	if d.Step == 1 {
		first = d.First
	}
	modules := []string{}
	for _, m := range d.Own { // the linker escapes dots in the last element of a package's path
		dir, last := path.Split(m)
		modules = append(modules, m, dir+strings.ReplaceAll(last, ".", "%2e"))
	}
	own, err := json.Marshal(modules)
	if err != nil {
		return nil, err
	}
	script, init := filepath.Join(folder, "stop.star"), initFile(folder)
	if err := os.WriteFile(script, fmt.Appendf(nil, delveScript, own, strconv.Quote(first)), 0o600); err != nil {
		return nil, err
	}
	if err := os.WriteFile(init, []byte("source "+script+"\n"), 0o600); err != nil {
		return nil, err
	}
	words := []string{"dlv", "exec", d.Binary, "--wd", d.Dir}
	if listen != "" {
		words = append(words, "--headless", "--api-version=2", "--listen", listen)
	} else {
		words = append(words, "--allow-non-terminal-interactive=true", "--init", init)
	}
	return append(append(words, "--"), d.Args...), nil
}

// initFile is the file of commands with which Delve's terminal begins.
func initFile(folder string) string { return filepath.Join(folder, "init") }

// inTerminal runs Delve in place of this program, and ends processes that the debuggee has started. Delve gets a
// Ctrl-C; another signal ends it, and the state of the terminal is restored.
func inTerminal(ctx context.Context, d *suite.Program, command []string) error {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = d.Environment()
	guard, err := process.NewGuard()
	if err != nil {
		return Failed(err)
	}
	defer guard.Close()
	stdin := int(os.Stdin.Fd())
	was, errWas := term.GetState(stdin)
	switch err := guard.RunInTerminal(ctx, cmd); {
	case ctx.Err() != nil:
		if now, err := term.GetState(stdin); err == nil && errWas == nil && *now != *was {
			term.Restore(stdin, was) //nolint:errcheck // the terminal may be gone
		}
		return Failed(context.Cause(ctx))
	case err != nil:
		return Failed(fmt.Errorf("dlv: %w", err))
	}
	return nil
}
