package mutants

import (
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/nearest"
)

// A mutant is the source with one deliberate defect.
type mutant struct {
	name  string
	about string // describes the defect
	hunks []hunk // empty for the mutant named control
	// trials are the programs that run on it, at least one.
	trials []trial
	file   string
}

// control is the name of the mutant without a defect: the negative control.
const control = "none"

// A trial is one program that runs on a mutant, and the expected verdict.
type trial struct {
	Package string `json:"package"` // whose TestKill runs it: "sleep"
	Program string `json:"program"` // "protocol jobs=1 leaver"
	// Expect is the verdict of the executions that detect the mutant; verdict.Pass means that no
	// execution does, and Note says why.
	Expect     verdict.Verdict `json:"expect"`
	Note       string          `json:"note,omitempty"`
	Published  []figure        `json:"published,omitempty"` // of a prototype
	executions int             // at most, of a series
	by         []string        // strategies, instead of the usual ones
	long       []string        // strategies that run only with --long
}

// A figure is the number of executions that a strategy needs to detect a mutant, the median of many series.
type figure struct {
	Strategy   string `json:"strategy"`
	Executions int    `json:"executions"`
}

// fewest returns the figure with the fewest executions; ok is false without figures.
func fewest(figures []figure) (best figure, ok bool) {
	for _, f := range figures {
		if !ok || f.Executions < best.Executions {
			best, ok = f, true
		}
	}
	return best, ok
}

// detectable reports whether some trial is expected to detect the mutant. To the programs, other mutants
// behave like the original.
func (m *mutant) detectable() bool {
	return slices.ContainsFunc(m.trials, func(t trial) bool { return t.Expect != verdict.Pass })
}

var usual = []string{"random", "pct(3)", "pct(5)", "pos"}

// strategies lists the strategies of the trial: those that it names, or else the usual ones and those
// with a published figure. Without long it leaves out the trial's long strategies, which may be all.
func (t *trial) strategies(long bool) []string {
	names := slices.Clone(t.by)
	if len(names) == 0 {
		names = slices.Clone(usual)
		for _, f := range t.Published {
			if !slices.Contains(names, f.Strategy) {
				names = append(names, f.Strategy)
			}
		}
	}
	return slices.DeleteFunc(names, func(n string) bool { return !long && slices.Contains(t.long, n) })
}

//go:embed *.diff
var files embed.FS

// folder is the folder of the mutants, from the root of the module.
const folder = "stress/mutants"

// all returns the mutants of this program, by name. Errors are *stress.InputError.
func all() ([]mutant, error) {
	entries, err := files.ReadDir(".")
	if err != nil {
		return nil, err
	}
	var all []mutant
	for _, e := range entries {
		data, err := files.ReadFile(e.Name())
		if err != nil {
			return nil, err
		}
		m, err := parse(path.Join(folder, e.Name()), data)
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	slices.SortFunc(all, func(a, b mutant) int { return strings.Compare(a.name, b.name) })
	return all, nil
}

// choose returns the named mutants, in the order of names, or all without names. An unknown name and
// a duplicate are errors.
func choose(all []mutant, names []string) ([]mutant, error) {
	if len(names) == 0 {
		return all, nil
	}
	var have []string
	for _, m := range all {
		have = append(have, m.name)
	}
	var chosen []mutant
	for i, name := range names {
		at := slices.Index(have, name)
		if at < 0 {
			return nil, fmt.Errorf("unknown mutant %q; %s", nearest.Clip(name), nearest.Hint(name, have))
		}
		if slices.Contains(names[:i], name) {
			return nil, fmt.Errorf("mutant %s is named twice", name)
		}
		chosen = append(chosen, all[at])
	}
	return chosen, nil
}
