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

// A Mutant is the subject with one deliberate defect.
type Mutant struct {
	Name  string
	About string // what the defect is
	// Edits make the defect. The mutant of the name Control has none.
	Edits []Edit
	// Trials are the programs that are tried on it, at least one.
	Trials []Trial

	file string
}

// Control is the name of the mutant that has no defect: the negative control.
const Control = "none"

// An Edit replaces a text that must occur exactly once in its file.
type Edit struct {
	File     string // sleep/jec.go: from the root of the module, with slashes
	From, To string // whole lines

	line int // of the mutant's file
}

// A Trial is one program that runs on the mutant, and what is to come of it.
type Trial struct {
	Package string // whose TestKill runs it: "sleep"
	Program string // "protocol jobs=1 leaver"
	// Expect is the verdict of the executions that convict it; verdict.Pass says that
	// none does, and Note then why.
	Expect     verdict.Verdict
	Note       string
	Published  []Figure // what a prototype needed, or nothing
	Executions int      // of a series, at most
	By         []string // strategies, instead of the usual ones
	Long       []string // those of them that are tried only if there is time
}

// A Figure is how many executions a strategy needs to the first that is convicted:
// the median of many series.
type Figure struct {
	Strategy   string
	Executions int
}

// Best returns the figure of the fewest executions; ok is false if there is none.
func Best(figures []Figure) (best Figure, ok bool) {
	for _, f := range figures {
		if !ok || f.Executions < best.Executions {
			best, ok = f, true
		}
	}
	return best, ok
}

// ToBeKilled reports whether some trial is expected to convict the mutant. The others
// are equivalent to what ships, or defects that no oracle can see.
func (m *Mutant) ToBeKilled() bool {
	return slices.ContainsFunc(m.Trials, func(t Trial) bool { return t.Expect != verdict.Pass })
}

// usual are the strategies of a trial that names no others.
var usual = []string{"random", "pct(3)", "pct(5)", "pos"}

// Strategies lists those of the trial, by the names that strategy.Parse reads: those
// that it names, or the usual ones and those that have a published figure. Without
// long, those that take long are left out: of some trials none is left then.
func (t *Trial) Strategies(long bool) []string {
	names, published := slices.Clone(t.By), t.Published
	if len(names) == 0 {
		names = slices.Clone(usual)
	} else {
		published = nil
	}
	for _, f := range published {
		if !slices.Contains(names, f.Strategy) {
			names = append(names, f.Strategy)
		}
	}
	return slices.DeleteFunc(names, func(n string) bool { return !long && slices.Contains(t.Long, n) })
}

//go:embed *.mutant
var files embed.FS

// All returns the mutants that this program holds, by name. Errors are
// *stress.InputError.
func All() ([]Mutant, error) {
	names, err := files.ReadDir(".")
	if err != nil {
		return nil, err
	}
	var all []Mutant
	for _, f := range names {
		data, err := files.ReadFile(f.Name())
		if err != nil {
			return nil, err
		}
		m, err := Parse(path.Join(Folder, f.Name()), data)
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	slices.SortFunc(all, func(a, b Mutant) int { return strings.Compare(a.Name, b.Name) })
	return all, nil
}

// Folder is where the files of mutants are, from the root of the module.
const Folder = "stress/mutants"

// Choose returns the mutants of those names, in that order; all if there are no
// names. An unknown name, or one that is there twice, is an error.
func Choose(all []Mutant, names []string) ([]Mutant, error) {
	if len(names) == 0 {
		return all, nil
	}
	var have []string
	for _, m := range all {
		have = append(have, m.Name)
	}
	var chosen []Mutant
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
