package mutants

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rouse-go/rouse/internal/process"
	"github.com/rouse-go/rouse/stress/mutants/kill"
)

// build builds the test of a package around the mutant, in a folder that is the
// mutant's own, and returns the program's path.
func (c Checkout) build(ctx context.Context, m *Mutant, pkg, dir string) (binary string, err error) {
	overlay, err := c.overlay(m, dir)
	if err != nil {
		return "", err
	}
	binary = filepath.Join(dir, pkg+".test.exe")
	cmd := process.Command(ctx, "go", "test", "-c", "-tags", "chaos", "-overlay", overlay, "-o", binary, "./"+pkg)
	cmd.Dir = c.dir
	// What go is ended over stays in the mutant's folder, and goes with it.
	cmd.Env = append(cmd.Environ(), "GOTMPDIR="+dir, "TMPDIR="+dir, "TMP="+dir, "TEMP="+dir)
	if out, err := process.CombinedOutput(cmd); err != nil {
		return "", c.failed(ctx, fmt.Sprintf("mutant %s does not build", m.Name), err, out)
	}
	return binary, nil
}

// overlay writes what go build -overlay wants: the changed files, and a file that
// says which they replace.
func (c Checkout) overlay(m *Mutant, dir string) (file string, err error) {
	changed, err := m.Apply(os.DirFS(c.dir))
	if err != nil {
		return "", err
	}
	replace := map[string]string{}
	for name, text := range changed {
		to := filepath.Join(dir, strings.ReplaceAll(name, "/", "-"))
		if err := os.WriteFile(to, []byte(text), 0o600); err != nil {
			return "", err
		}
		replace[filepath.Join(c.dir, filepath.FromSlash(name))] = to
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	file = filepath.Join(dir, "overlay.json")
	return file, os.WriteFile(file, text, 0o600)
}

// execute runs the program of a trial under a strategy.
func (c Checkout) execute(ctx context.Context, m *Mutant, pkg, binary string, r kill.Request) ([]kill.Answer, error) {
	arguments := append([]string{"-test.run=^TestKill$", "-test.timeout=0"}, r.Arguments()...)
	cmd := process.Command(ctx, binary, arguments...)
	cmd.Dir = filepath.Join(c.dir, pkg)
	cmd.Env = append(cmd.Environ(), "GOMAXPROCS=1") // one task runs at a time
	out, err := process.CombinedOutput(cmd)
	what := fmt.Sprintf("mutant %s, %s %s, %s", m.Name, pkg, r.Program, r.Strategy)
	if err != nil {
		return nil, c.failed(ctx, what, err, out)
	}
	answers, err := kill.Read(strings.NewReader(string(out)))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	return answers, nil
}

// failed is the error of a command, with what it has printed last.
func (c Checkout) failed(ctx context.Context, what string, err error, out []byte) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	const most = 20
	if len(lines) > most {
		lines = append([]string{"..."}, lines[len(lines)-most:]...)
	}
	return fmt.Errorf("%s: %w\n%s", what, err, strings.Join(lines, "\n"))
}
