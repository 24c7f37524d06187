package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/evidence/bench/mutation"
	"github.com/rouse-go/rouse/internal/command"
)

// A campaign runs stress from a build of cmd/stress with a mutant.
type campaign struct {
	checkout  string
	limits    []time.Duration
	seed      string
	race      bool
	scenarios []string // all if there are none
}

func newCampaign() *cobra.Command {
	m := campaign{checkout: ".", limits: []time.Duration{30 * time.Second}, seed: "1"}
	c := &cobra.Command{
		Use:   "campaign [SCENARIO...]",
		Short: "Run a campaign of stress run with a mutant until its first report: for stress mutate --command",
		Long: `Build cmd/stress with -tags chaos and the mutant of $GOFLAGS, and run all its scenarios, or those that
are named, until the first one that is not as expected. Exit code 1 if there is one: the last line says
after how many seconds.

Several limits are campaigns one after the other, until one reports something. A mutant of another
checkout, whose root the first argument of --of names, is planted in --checkout: the same mutant, with
other campaigns. The campaign has the processors of this process: taskset gives it one.`,
		Example: `  stress mutate ./pool ./sleep --tags chaos --way command --command "taskset -c 1 mutation campaign --for 30s,5m"`,
	}
	var of string
	c.Flags().StringVar(&m.checkout, "checkout", m.checkout, "root of the `folder` with cmd/stress")
	c.Flags().StringVar(&of, "of", "", "`root` of the checkout that is mutated, if it is another one")
	c.Flags().DurationSliceVar(&m.limits, "for", m.limits, "duration of the campaign; several, separated by commas, for one after the other")
	c.Flags().StringVar(&m.seed, "seed", m.seed, "campaign seed")
	c.Flags().BoolVar(&m.race, "race", false, "build with the race detector")
	c.RunE = func(c *cobra.Command, scenarios []string) error {
		m.scenarios = scenarios
		return m.run(c.Context(), c.OutOrStdout(), of)
	}
	return c
}

func (m *campaign) run(ctx context.Context, out io.Writer, of string) error {
	dir, err := os.MkdirTemp("", "mutation")
	if err != nil {
		return command.Trouble(err)
	}
	defer os.RemoveAll(dir) //nolint:errcheck // stress mutate removes the rest
	program, err := m.build(ctx, dir, of)
	if err != nil {
		return command.Trouble(err)
	}
	for _, limit := range m.limits {
		r, err := m.first(ctx, program, limit)
		if err != nil {
			return command.Trouble(err)
		}
		if r.Failed != "" {
			return command.Found(errors.New(r.String()))
		}
		fmt.Fprintf(out, "nothing in %v\n", limit)
	}
	return nil
}

// build builds cmd/stress with the overlay of $GOFLAGS.
func (m *campaign) build(ctx context.Context, dir, of string) (program string, err error) {
	args := []string{"build", "-tags", "chaos", "-ldflags=-s -w"}
	if m.race {
		args = append(args, "-race")
	}
	if _, overlay, ok := strings.Cut(os.Getenv("GOFLAGS"), "-overlay="); ok {
		overlay = strings.TrimRight(overlay, "' ")
		if of != "" {
			if overlay, err = m.moved(dir, overlay, of); err != nil {
				return "", err
			}
		}
		args = append(args, "-overlay="+overlay)
	}
	program = filepath.Join(dir, "stress")
	cmd := exec.CommandContext(ctx, "go", append(args, "-o", program, "./cmd/stress")...)
	cmd.Dir = m.checkout
	cmd.Env = append(os.Environ(), "GOFLAGS=")
	if text, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, text)
	}
	return program, nil
}

// moved writes an overlay for files of another checkout.
func (m *campaign) moved(dir, overlay, of string) (string, error) {
	text, err := os.ReadFile(overlay)
	if err != nil {
		return "", err
	}
	here, err := filepath.Abs(m.checkout)
	if err != nil {
		return "", err
	}
	var o struct{ Replace map[string]string }
	if err := json.Unmarshal(text, &o); err != nil {
		return "", fmt.Errorf("%s: %w", overlay, err)
	}
	replaced := map[string]string{}
	for name, by := range o.Replace {
		if rest, in := strings.CutPrefix(name, of+string(filepath.Separator)); in {
			name = filepath.Join(here, rest)
		}
		replaced[name] = by
	}
	o.Replace = replaced
	if text, err = json.Marshal(o); err != nil {
		return "", err
	}
	name := filepath.Join(dir, "overlay.json")
	return name, os.WriteFile(name, text, 0o600)
}

// A line is a line of stress run --json, with the fields that matter here.
type line struct {
	Kind        string `json:"kind"`
	Name        string `json:"name"`
	Verdict     string `json:"verdict"`
	Summary     string `json:"summary"`
	Detail      string `json:"detail"`
	AsExpected  bool   `json:"as_expected"`
	Open        bool   `json:"open"` // too few executions to tell
	Interrupted bool   `json:"interrupted"`
}

// first runs a campaign until a scenario is not as expected.
func (m *campaign) first(ctx context.Context, program string, limit time.Duration) (r mutation.FirstReport, err error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	args := append([]string{"run"}, m.scenarios...)
	args = append(args, "--for", limit.String(), "--seed", m.seed, "--quiet", "--json", "-", "--out", filepath.Dir(program))
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGINT) } // it ends its children
	cmd.WaitDelay = 10 * time.Second
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.StdoutPipe()
	if err != nil {
		return r, err
	}
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return r, err
	}
	for lines := bufio.NewReader(out); ; {
		text, err := lines.ReadBytes('\n')
		if err != nil {
			break
		}
		var l line
		if err := json.Unmarshal(text, &l); err != nil {
			stop()
			cmd.Wait() //nolint:errcheck // the first error counts
			return r, fmt.Errorf("stress run --json wrote %.100q: %w", text, err)
		}
		if l.Kind == "scenario" && !l.AsExpected && !l.Open && !l.Interrupted {
			r = mutation.FirstReport{After: time.Since(start), Failed: l.Name, Verdict: l.Verdict, What: strings.TrimSpace(l.Summary + " " + l.Detail)}
			stop()
			io.Copy(io.Discard, lines) //nolint:errcheck // until it has ended
			cmd.Wait()                 //nolint:errcheck // interrupted
			return r, nil
		}
	}
	if err := cmd.Wait(); err != nil {
		return r, fmt.Errorf("stress run: %w\n%s", err, errs.String())
	}
	return r, nil
}
