package corpus

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/chaos/verdict"
)

// A Bug is one of the module of planted bugs.
type Bug struct {
	Package  string // its last element
	Test     string
	Verdicts []verdict.Verdict // one of which stress test is to report
}

// modes are the runs by which all planted bugs are found: of the tests that need a flag, whose names
// say so, and of all others.
var modes = []struct {
	name   string
	suffix string // of the tests; "" is all that have no other mode's
	args   []string
}{
	{"plain", "", []string{"--skip", "(Leaks|Race)$", "./..."}},
	{"leaks", "Leaks", []string{"--leaks", "--run", "Leaks$", "./..."}},
	{"race", "Race", []string{"--race", "--run", "Race$", "./locks"}},
}

// Bugs reads the table expect.txt of the module.
func Bugs(module string) (bugs []Bug, err error) {
	f, err := os.Open(filepath.Join(module, "expect.txt"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	for in.Scan() {
		if strings.HasPrefix(in.Text(), "#") {
			continue
		}
		fields := strings.Fields(in.Text())
		if len(fields) != 4 {
			return nil, fmt.Errorf("expect.txt: %q has %d fields, want 4", in.Text(), len(fields))
		}
		b := Bug{Package: fields[0], Test: fields[1]}
		for _, v := range strings.Split(fields[2], ",") {
			if !slices.Contains(verdict.All(), verdict.Verdict(v)) {
				return nil, fmt.Errorf("expect.txt: there is no verdict %q", v)
			}
			b.Verdicts = append(b.Verdicts, verdict.Verdict(v))
		}
		bugs = append(bugs, b)
	}
	return bugs, in.Err()
}

// Planted runs stress test on the module of planted bugs in one of the modes, with those executions
// of each test. It returns the results, and what differs from what is expected.
func (t Tool) Planted(ctx context.Context, module, out, mode string, fixed bool, executions int) (results []Result, problems []string, err error) {
	bugs, err := Bugs(module)
	if err != nil {
		return nil, nil, err
	}
	at := 0
	for i, m := range modes {
		if m.name == mode {
			at = i
		} else if m.suffix != "" {
			bugs = slices.DeleteFunc(bugs, func(b Bug) bool { return strings.HasSuffix(b.Test, m.suffix) })
		}
	}
	m := modes[at]
	bugs = slices.DeleteFunc(bugs, func(b Bug) bool { return !strings.HasSuffix(b.Test, m.suffix) })
	var env []string
	if fixed {
		env = []string{"GOFLAGS=" + strings.TrimSpace(os.Getenv("GOFLAGS")+" -tags=fixed")}
	}
	r, err := t.Test(ctx, module, out, env, append([]string{"--seed", "1", "--executions", fmt.Sprint(executions), "--max-steps", "300000"}, m.args...)...)
	if err != nil {
		return nil, nil, err
	}
	problems = r.Broken
	for _, b := range bugs {
		i := slices.IndexFunc(r.Tests, func(r Result) bool {
			return r.Test == b.Test && strings.HasSuffix(r.Package, "/"+b.Package)
		})
		switch {
		case i < 0:
			problems = append(problems, b.Test+" has not run")
		case !fixed && !slices.Contains(b.Verdicts, r.Tests[i].Verdict):
			problems = append(problems, fmt.Sprintf("%s: %s %s (%s), want %q", b.Test, r.Tests[i].Status, r.Tests[i].Verdict, r.Tests[i].Summary, b.Verdicts))
		case fixed && r.Tests[i].Status != "ok":
			problems = append(problems, fmt.Sprintf("%s, fixed: %s %s: %s\n%s", b.Test, r.Tests[i].Status, r.Tests[i].Verdict, r.Tests[i].Summary, r.Tests[i].Report))
		}
	}
	if len(r.Tests) != len(bugs) {
		problems = append(problems, fmt.Sprintf("%d tests have run, and expect.txt has %d", len(r.Tests), len(bugs)))
	}
	return r.Tests, problems, nil
}
