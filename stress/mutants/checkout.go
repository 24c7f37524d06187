package mutants

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/rouse-go/rouse/internal/input"
	"github.com/rouse-go/rouse/internal/process"
	"github.com/rouse-go/rouse/stress/mutants/kill"
)

const module = "github.com/rouse-go/rouse"

var errNoGo = errors.New("mutants are built, and there is no go command in $PATH; install Go, or run it where it is")

// A checkout is the folder with the source that mutants are made of.
type checkout string

// openCheckout returns the checkout in the named folder, or an error if it is not the root of this module.
func openCheckout(name string) (checkout, error) {
	dir, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	text, err := input.Read(filepath.Join(dir, "go.mod"), 1<<20)
	if err != nil {
		return "", fmt.Errorf("%s: no go.mod, want the root of a checkout of %s", name, module)
	}
	if found := moduleLine.FindSubmatch(text); found == nil || string(found[1]) != module {
		return "", fmt.Errorf("%s: another module, want the root of a checkout of %s", name, module)
	}
	if _, err := exec.LookPath("go"); err != nil {
		return "", errNoGo
	}
	return checkout(dir), nil
}

var moduleLine = regexp.MustCompile(`(?m)^module\s+(\S+)\s*$`)

// check returns an error if a mutant does not apply. It builds nothing.
func (c checkout) check(all []mutant) error {
	for i := range all {
		if _, err := all[i].apply(os.DirFS(string(c))); err != nil {
			return err
		}
	}
	return nil
}

// build builds the test of a package around the mutant, in the mutant's own folder, and
// returns the program's path.
func (c checkout) build(ctx context.Context, m *mutant, pkg, dir string) (binary string, err error) {
	overlay, err := c.overlay(m, dir)
	if err != nil {
		return "", err
	}
	binary = filepath.Join(dir, pkg+".test.exe")
	cmd := process.Command(ctx, "go", "test", "-c", "-tags", "chaos", "-overlay", overlay, "-o", binary, "./"+pkg)
	cmd.Dir = string(c)
	// Files that an interrupted build leaves behind are removed with the mutant's folder.
	cmd.Env = append(cmd.Environ(), "GOTMPDIR="+dir, "TMPDIR="+dir, "TMP="+dir, "TEMP="+dir)
	_, err = output(ctx, cmd, fmt.Sprintf("mutant %s does not build", m.name))
	return binary, err
}

// overlay writes the changed files and the file for go build -overlay that names them.
func (c checkout) overlay(m *mutant, dir string) (file string, err error) {
	changed, err := m.apply(os.DirFS(string(c)))
	if err != nil {
		return "", err
	}
	replace := map[string]string{}
	for name, text := range changed {
		to := filepath.Join(dir, strings.ReplaceAll(name, "/", "-"))
		if err := os.WriteFile(to, []byte(text), 0o600); err != nil {
			return "", err
		}
		replace[filepath.Join(string(c), filepath.FromSlash(name))] = to
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	file = filepath.Join(dir, "overlay.json")
	return file, os.WriteFile(file, text, 0o600)
}

// execute runs the program of a trial under a strategy.
func (c checkout) execute(ctx context.Context, m *mutant, pkg, binary string, r kill.Request) ([]kill.Answer, error) {
	cmd := process.Command(ctx, binary, append([]string{"-test.run=^TestKill$", "-test.timeout=0"}, r.Arguments()...)...)
	cmd.Dir = filepath.Join(string(c), pkg)
	cmd.Env = append(cmd.Environ(), "GOMAXPROCS=1") // one task runs at a time
	what := fmt.Sprintf("mutant %s, %s %s, %s", m.name, pkg, r.Program, r.Strategy)
	out, err := output(ctx, cmd, what)
	if err != nil {
		return nil, err
	}
	answers, err := kill.Read(strings.NewReader(out))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	return answers, nil
}

// output runs a command. Its error begins with what and ends with the last lines of output.
func output(ctx context.Context, cmd *exec.Cmd, what string) (string, error) {
	out, err := process.CombinedOutput(cmd)
	switch {
	case err == nil:
		return string(out), nil
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	const most = 20
	if len(lines) > most {
		lines = append([]string{"..."}, lines[len(lines)-most:]...)
	}
	return "", fmt.Errorf("%s: %w\n%s", what, err, strings.Join(lines, "\n"))
}
