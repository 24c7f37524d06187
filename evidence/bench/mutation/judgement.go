package mutation

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
)

// A Judgement is the hand-written part of a subject.
type Judgement struct {
	Title     string                          `yaml:"title"`
	About     string                          `yaml:"about"`     // in Markdown, before the tables
	Advice    string                          `yaml:"advice"`    // in Markdown, after the survivors
	Survivors map[string]map[string]*Survivor `yaml:"survivors"` // by package and ID
}

// A Survivor says why a mutant was not detected.
type Survivor struct {
	Kind Kind   `yaml:"kind"`
	Why  string `yaml:"why"`
}

// A Kind is the kind of a survivor.
type Kind string

// The kinds of survivors, in the order of the page.
const (
	Open             Kind = "open"       // a test could detect it
	Speed            Kind = "speed"      // it costs time or memory, and changes no result
	EquivalentByHand Kind = "equivalent" // no run differs
)

// Kinds are all kinds.
var Kinds = []Kind{Open, Speed, EquivalentByHand}

// ReadJudgement reads a file.
func ReadJudgement(file string) (j Judgement, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return j, err
	}
	if err := yaml.UnmarshalWithOptions(text, &j, yaml.Strict()); err != nil {
		return j, fmt.Errorf("%s: %s", file, yaml.FormatError(err, false, false))
	}
	var all []error
	if j.Title == "" {
		all = append(all, errors.New("it has no title"))
	}
	for of, survivors := range j.Survivors {
		for id, s := range survivors {
			switch {
			case s == nil:
				all = append(all, fmt.Errorf("%s %s has no kind", of, id))
			case !slices.Contains(Kinds, s.Kind):
				all = append(all, fmt.Errorf("%s %s: found the kind %q, want one of %q", of, id, s.Kind, Kinds))
			case s.Why == "":
				all = append(all, fmt.Errorf("%s %s does not say why", of, id))
			}
		}
	}
	return j, joined(file, all)
}

// Missing returns entries, to be filled in, for the survivors that have no entry in the file. The file
// may be missing, too.
func Missing(file string, d *Data) (entries string, err error) {
	j, err := ReadJudgement(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	of := ""
	var b strings.Builder
	for i := range d.Mutants {
		m := &d.Mutants[i]
		if !m.Status.survives() || j.of(m) != nil {
			continue
		}
		if m.Package != of {
			of = m.Package
			fmt.Fprintf(&b, "  %s:\n", of)
		}
		fmt.Fprintf(&b, "    %s: # %s, %s\n      kind: open\n      why: \"\"\n", m.ID, m.place(), m.What)
	}
	return b.String(), nil
}

// Check returns an error unless each survivor in the data, and no other mutant, has an entry.
func (j *Judgement) Check(d *Data) error {
	var all []error
	for i := range d.Mutants {
		m := &d.Mutants[i]
		if m.Status.survives() && j.of(m) == nil {
			all = append(all, fmt.Errorf("%s %s survives (%s, %s) and has no entry", m.Package, m.ID, m.place(), m.What))
		}
	}
	for of, survivors := range j.Survivors {
		for id := range survivors {
			i := slices.IndexFunc(d.Mutants, func(m Mutant) bool { return m.Package == of && m.ID == id })
			switch {
			case i < 0:
				all = append(all, fmt.Errorf("%s %s: there is no such mutant", of, id))
			case !d.Mutants[i].Status.survives():
				all = append(all, fmt.Errorf("%s %s is no survivor but %s", of, id, d.Mutants[i].Status))
			}
		}
	}
	return joined("", all)
}

// joined joins errors, sorted so that the order does not depend on map iteration.
func joined(file string, all []error) error {
	slices.SortFunc(all, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	err := errors.Join(all...)
	if err != nil && file != "" {
		err = fmt.Errorf("%s: %w", file, err)
	}
	return err
}

// of returns the entry of a mutant, or nil.
func (j *Judgement) of(m *Mutant) *Survivor { return j.Survivors[m.Package][m.ID] }
