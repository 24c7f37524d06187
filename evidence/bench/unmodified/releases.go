package unmodified

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/version"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/chaos/goroot"
	"github.com/rouse-go/rouse/internal/process"
)

// A Check is a check that must pass under a release of Go.
type Check struct {
	Name string
	runs []goRun
}

// A goRun is a call of the go command in the folder of the sources of rouse.
type goRun struct {
	args []string
	env  []string
}

// Checks lists all checks, each a column of the page.
var Checks = []Check{
	{"overlay", []goRun{tested("./chaos/goroot", "TestInstalled").with("ROUSE_PLATFORMS=linux/amd64 linux/arm64 darwin/arm64 windows/amd64")}},
	{"self-test", []goRun{tested("./stress/internal/suite", "TestSelfTest")}},
	{"planted bugs", []goRun{tested("./chaos/goroot/corpus", "TestPlanted", "-bug-executions", "2000", "-twin-executions", "2000")}},
	{"traps", []goRun{tested("./chaos/goroot/corpus", "TestTraps(Native)?|TestLongTraps", "-long", "all")}},
	{"std", []goRun{tested("./chaos/goroot", "TestStandardLibrary").with("ROUSE_STD=all")}},
	{"determinism", []goRun{{args: []string{"run", "-C", "evidence/bench", "./cmd/unmodified", "determinism", "--executions", "100"}}}},
	{"mutate", []goRun{tested("./stress/internal/mutate", "TestWays|TestUnmutatedSurvives|TestInvalid")}},
}

func tested(pkg, run string, args ...string) goRun {
	return goRun{args: append([]string{"test", "-tags", "chaos", "-count=1", "-timeout", "2h", "-run", "^(" + run + ")$", pkg}, args...)}
}

func (r goRun) with(env string) goRun {
	r.env = append(r.env, env)
	return r
}

const releasesBegin = "<!-- releases -->\n"

func releasesTable() pageTable {
	head, line := "| release |", "\n|---|"
	for _, c := range Checks {
		head += " " + c.Name + " |"
		line += "---|"
	}
	return pageTable{releasesBegin, head + line + "\n"}
}

// Releases returns the releases of Go that the go command lists, such as go1.27.4.
func Releases(ctx context.Context) (all []string, err error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-m", "-versions", "go")
	cmd.Dir = os.TempDir() // outside any module
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%v: %w", cmd.Args, err)
	}
	for _, word := range strings.Fields(string(out)) {
		if v := "go" + word; version.IsValid(v) && strings.Contains(word, ".") {
			all = append(all, v)
		}
	}
	slices.SortFunc(all, version.Compare)
	return all, nil
}

// NewReleases returns the newest release of each minor version that is supported, or will be, if it is newer than all
// of that minor version in the page. A release candidate is older than its release.
func NewReleases(page []byte, all []string) ([]string, error) {
	_, lines, _, err := releasesTable().cut(page)
	if err != nil {
		return nil, err
	}
	newest := map[string]string{} // by language version
	for _, v := range all {
		if lang := version.Lang(v); version.Compare(lang, "go"+goroot.Versions[0]) >= 0 && version.Compare(v, newest[lang]) > 0 {
			newest[lang] = v
		}
	}
	for seen := range lines {
		if v := newest[version.Lang(seen)]; v != "" && version.Compare(seen, v) >= 0 {
			delete(newest, version.Lang(seen))
		}
	}
	return slices.SortedFunc(maps.Values(newest), version.Compare), nil
}

// TryRelease runs the checks under a release in the folder of the sources, and returns yes or no for each. It prints
// failures.
func TryRelease(ctx context.Context, source, release string, checks []Check, out io.Writer) (cells map[string]string, err error) {
	cells = map[string]string{}
	for _, c := range checks {
		cells[c.Name] = "yes"
		for _, r := range c.runs {
			cmd := process.Command(ctx, "go", r.args...)
			cmd.Dir = source
			cmd.Env = append(append(os.Environ(), "GOTOOLCHAIN="+release), r.env...)
			text, err := process.CombinedOutput(cmd)
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			if err == nil && bytes.Contains(text, []byte("no tests to run")) {
				err = errors.New("its tests are gone")
			}
			if err != nil {
				fmt.Fprintf(out, "%s, %s: %v\n%s\n", release, c.Name, err, text)
				cells[c.Name] = "no"
			}
		}
		fmt.Fprintf(out, "%s, %s: %s\n", release, c.Name, cells[c.Name])
	}
	return cells, nil
}

// IntoReleases returns the page with cells in the row of a release. It keeps the row's cells of other checks.
func IntoReleases(page []byte, release string, cells map[string]string) ([]byte, error) {
	t := releasesTable()
	before, lines, after, err := t.cut(page)
	if err != nil {
		return nil, err
	}
	was := cellsOf(lines[release])
	row := "| " + release + " |"
	for i, c := range Checks {
		cell := cells[c.Name]
		if cell == "" && len(was) == len(Checks)+1 {
			cell = was[i+1]
		}
		row += " " + cmp.Or(cell, "-") + " |"
	}
	lines[release] = row + "\n"
	return t.join(before, lines, slices.SortedFunc(maps.Keys(lines), version.Compare), after), nil
}

// cellsOf returns the cells of a line of a table.
func cellsOf(line string) []string {
	line = strings.Trim(strings.TrimSpace(line), "|")
	cells := strings.Split(line, "|")
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	return cells
}
