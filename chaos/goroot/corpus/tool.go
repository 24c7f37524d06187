package corpus

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"time"

	"github.com/rouse-go/rouse/chaos/verdict"
)

// A Tool is the program stress.
type Tool struct {
	path  string
	Procs int // processes of stress test at a time; 0 is its default
}

// Build builds the tool into a folder. source is any folder of the module of rouse.
func Build(ctx context.Context, source, folder string) (Tool, error) {
	path := filepath.Join(folder, "stress")
	build := exec.CommandContext(ctx, "go", "build", "-o", path, "github.com/rouse-go/rouse/cmd/stress")
	build.Dir = source
	if out, err := build.CombinedOutput(); err != nil {
		return Tool{}, fmt.Errorf("building stress: %w\n%s", err, out)
	}
	return Tool{path: path}, nil
}

// A Result is what stress test reports of a test, and of its failure.
type Result struct {
	Package    string          `json:"package"`
	Test       string          `json:"test"`
	Status     string          `json:"status"`
	Verdict    verdict.Verdict `json:"verdict"`
	Summary    string          `json:"summary"`
	Executions int             `json:"executions"`
	Orders     struct {
		Distinct int `json:"distinct"`
	} `json:"orders"`
	Steps     int      `json:"steps"`
	Traces    string   `json:"traces"` // a hash of all traces
	Seconds   float64  `json:"seconds"`
	Recording string   `json:"recording"`
	Notes     []string `json:"notes"`

	// Of the failure.
	Execution int    `json:"-"` // that failed, from 0
	Strategy  string `json:"-"`
	Report    string `json:"-"`
}

// Failed reports whether the test failed.
func (r *Result) Failed() bool { return r.Status == "FAIL" }

// Results are those of a run.
type Results struct {
	Go      string // the version of the toolchain, such as "go1.26.0"
	Tests   []Result
	Broken  []string // packages that could not be tested, and why
	Printed string   // what people read
	Seconds float64
}

// line has the fields of all lines of the report that matter here.
type line struct {
	Result
	Kind      string  `json:"kind"`
	Go        string  `json:"go"`
	Problem   string  `json:"problem"`
	Execution int     `json:"execution"`
	Strategy  string  `json:"strategy"`
	Report    string  `json:"report"`
	Seconds   float64 `json:"seconds"`
}

// Test runs stress test in the folder of a module, with recordings below out. GOFLAGS and other
// variables of env are added to the environment.
func (t Tool) Test(ctx context.Context, module, out string, env []string, args ...string) (*Results, error) {
	report := filepath.Join(out, "results.jsonl")
	if err := os.MkdirAll(out, 0o755); err != nil {
		return nil, err
	}
	args = append([]string{"test", "-count=1", "--out", out, "--json", report}, args...)
	if t.Procs > 0 {
		args = append(args, "--procs", fmt.Sprint(t.Procs))
	}
	cmd := t.command(ctx, args...)
	cmd.Dir = module
	cmd.Env = append(os.Environ(), env...)
	printed, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		err = nil // a test failed
	}
	if err != nil {
		return nil, fmt.Errorf("stress test: %w\n%s", err, printed)
	}
	r, err := read(report)
	if err == nil {
		r.Printed = string(printed)
	}
	return r, err
}

// Explain explains a recording in the folder of its module, with variables of env added to the environment. It
// writes the page of the failure to a file, and returns what is printed.
func (t Tool) Explain(ctx context.Context, module, file, page string, env []string) (string, error) {
	page, err := filepath.Abs(page)
	if err != nil {
		return "", err
	}
	cmd := t.command(ctx, "explain", "--html", page, file)
	cmd.Dir = module
	cmd.Env = append(os.Environ(), env...)
	text, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("stress explain %s: %w\n%s", file, err, text)
	}
	return string(text), nil
}

// command is a command of the tool, which is interrupted with the context, and ended if that takes long.
func (t Tool) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, t.path, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	return cmd
}

// Replay replays a recording in the folder of its module, with variables of env added to the environment. It
// returns whether the test failed as recorded, and whether by the recorded trace, and what was printed.
func (t Tool) Replay(ctx context.Context, module, file string, env []string) (failed, exact bool, printed string, err error) {
	text, err := t.replay(ctx, module, file, env, 1)
	if err != nil {
		return false, false, "", err
	}
	return !bytes.Contains(text, []byte("\nnot reproduced: ")), bytes.Contains(text, []byte("\n1 of 1 reproduced ")), string(text), nil
}

// reproduced matches what a replay says of the tries that had the recorded trace.
var reproduced = regexp.MustCompile(`(?m)^(\d+) of \d+ reproduced .* with equal trace hash`)

// ReplayTimes replays a recording so often, and returns how often the test failed by the recorded trace.
func (t Tool) ReplayTimes(ctx context.Context, module, file string, env []string, times int) (int, error) {
	text, err := t.replay(ctx, module, file, env, times)
	if m := reproduced.FindSubmatch(text); m != nil && err == nil {
		return strconv.Atoi(string(m[1]))
	}
	return 0, err
}

func (t Tool) replay(ctx context.Context, module, file string, env []string, times int) ([]byte, error) {
	cmd := t.command(ctx, "replay", "--times", strconv.Itoa(times), file)
	cmd.Dir = module
	cmd.Env = append(os.Environ(), env...)
	text, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		err = nil // whether it failed again or not
	}
	if err != nil {
		return nil, fmt.Errorf("stress replay %s: %w\n%s", file, err, text)
	}
	return text, nil
}

// read reads the report of a run that has ended.
func read(report string) (*Results, error) {
	text, err := os.ReadFile(report)
	if err != nil {
		return nil, err
	}
	var r Results
	var failure line
	ended := false
	in := bufio.NewScanner(bytes.NewReader(text))
	in.Buffer(nil, len(text)+1)
	for in.Scan() {
		var l line
		if err := json.Unmarshal(in.Bytes(), &l); err != nil {
			return nil, fmt.Errorf("%s: %w", report, err)
		}
		switch l.Kind {
		case "suite":
			r.Go = l.Go
		case "package":
			if l.Problem != "" {
				r.Broken = append(r.Broken, l.Package+": "+l.Problem)
			}
		case "failure":
			failure = l
		case "test":
			l.Result.Seconds, l.Result.Execution = l.Seconds, -1
			if l.Failed() {
				l.Result.Execution, l.Result.Strategy, l.Result.Report = failure.Execution, failure.Strategy, failure.Report
			}
			r.Tests = append(r.Tests, l.Result)
		case "end":
			ended, r.Seconds = true, l.Seconds
		}
	}
	if !ended {
		return nil, fmt.Errorf("%s is not complete", report)
	}
	return &r, in.Err()
}
