package scenario

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/plan"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/input"
	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/rouse-go/rouse/internal/yamltree"
	"github.com/rouse-go/rouse/stress/internal/prose"
	"github.com/rouse-go/rouse/stress/subject"
)

// Maximum sizes of files, in bytes. A recording holds dumps, or a million decisions; a journal holds the
// results of all scenarios.
const (
	MaxInput   = 64 << 20
	MaxJournal = 256 << 20
)

// FileVersion is the version of the scenario files that this package reads.
const FileVersion = 1

// LoadFile reads a scenario file. Errors about the file are *InputError; in a
// binary built without the chaos tag it returns ErrNotChaos.
func LoadFile(path string, subjects ...subject.Subject) ([]Scenario, error) {
	data, err := ReadInput(path, MaxInput)
	if err != nil {
		return nil, err
	}
	return Load(path, data, subjects...)
}

// Load reads the text of a scenario file; the name is only for messages. The file is one YAML document,
// with anchors, aliases and merge keys, and without tags. Schema defines its keys and their values, and
// docs/scenarios.md their meaning. The error for a violation of the schema or a contradiction is an
// *InputError for the one that comes first in the file. In a binary built without the chaos tag Load
// returns ErrNotChaos. Scenarios may be of any of the subjects, of which there must be at least one.
//
// The scenarios of the campaign that a file extends (Default) come first, in their order, except for those
// that it removes. A scenario of the file with the name of one of them replaces it; others come after
// them. The campaign's entries under absent also apply to the file's scenarios.
//
// A scenario may name another as its base: one of the campaign that the file extends, or an earlier one
// of the file, its own name included. It then has all keys of the base except the name and those under its
// key remove. Its own keys replace those of the base; in mappings (the parameters of a subject, sizes), key
// by key. So
//
//   - {name: leavers, base: leavers, pool: {workers: [8]}}
//
// is the campaign's leavers with eight workers and otherwise unchanged. An unsuitable value of the base is
// reported where the file names the base.
func Load(name string, data []byte, subjects ...subject.Subject) ([]Scenario, error) {
	cat, err := installedCatalogue(subjects...)
	if err != nil {
		return nil, err
	}
	return load(name, data, cat)
}

// Summary returns the numbers of scenarios, faults and hook points in one line.
func Summary(scenarios []Scenario) string {
	faults, points := 0, map[string]bool{}
	for _, sc := range scenarios {
		faults += len(sc.Plan)
		for _, f := range sc.Plan {
			points[f.At] = true
		}
	}
	return fmt.Sprintf("%s, %s at %s", prose.Plural(len(scenarios), "scenario"), prose.Plural(faults, "fault"), prose.Plural(len(points), "hook point"))
}

// ReadInput reads a file that a person named, and refuses one of more than most
// bytes.
func ReadInput(path string, most int64) ([]byte, error) {
	data, err := input.Read(path, most)
	var refused *input.Error
	switch {
	case errors.As(err, &refused):
		return nil, &InputError{File: path, Problem: refused.Error()}
	case err != nil:
		return nil, &InputError{File: path, Problem: "cannot be read: " + Reason(err)}
	}
	return data, nil
}

// Reason returns the text of a file system error without the path, which the message
// already has.
func Reason(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

func load(name string, data []byte, cat *catalogue) ([]Scenario, error) {
	l, err := loaded(name, data, cat, true)
	if err != nil {
		return nil, err
	}
	return l.all, nil
}

// loaded reads a file. extending is whether it may extend the campaign in the binary.
func loaded(name string, data []byte, cat *catalogue, extending bool) (*loader, error) {
	l, root, err := newLoader(yamltree.Source{File: name, Text: data}, cat)
	if err != nil {
		return nil, err
	}
	file := l.Tree(root, "the file", elementNames, "plan")
	// A file of another version may well have other keys.
	if v := file.Fields["version"]; v != nil && v.Int() != FileVersion {
		v.Fail("version: found %s, want %d: the version that this program reads", v.Found(), FileVersion)
	}
	l.extend(file, extending)
	own := l.scenarios(file)
	l.remove(file.Get("remove"))
	l.put(own)
	if l.Err == nil && len(l.all) == 0 {
		file.Fail("no scenario is left, want at least one")
	}
	return l, l.failure()
}

// elementNames holds the names of list elements in messages.
var elementNames = map[string]string{"scenarios": "a scenario", "absent": "an absence", "except": "an exception", "plan": "a fault"}

// A loader reads scenarios out of a tree.
type loader struct {
	*yamltree.Reader
	cat    *catalogue
	absent []absence                 // absences for all scenarios of the file
	known  map[string]*yamltree.Tree // scenarios that others may name as their base
	all    []Scenario
}

// newLoader parses a text, and returns its root. Errors are *InputErrors.
func newLoader(text yamltree.Source, cat *catalogue) (l *loader, root yamltree.Node, err error) {
	r, root, err := yamltree.Read(text)
	if err != nil {
		return nil, nil, inputError(err)
	}
	return &loader{Reader: r, cat: cat, known: map[string]*yamltree.Tree{}}, root, nil
}

// One reads the list of one scenario that a recording has, as written by EncodeOne.
func One(text yamltree.Source, subjects ...subject.Subject) (*Scenario, error) {
	cat, err := installedCatalogue(subjects...)
	if err != nil {
		return nil, err
	}
	return one(text, cat)
}

func one(text yamltree.Source, cat *catalogue) (*Scenario, error) {
	l, root, err := newLoader(text, cat)
	if err != nil {
		return nil, err
	}
	list := l.Tree(root, "scenarios", elementNames, "plan")
	all := l.scenarios(&yamltree.Tree{Fields: map[string]*yamltree.Tree{"version": {Scalar: int64(FileVersion)}, "scenarios": list}})
	if len(all) != 1 {
		list.Fail("found %d scenarios, want the one that was recorded", len(all))
	}
	if err := l.failure(); err != nil {
		return nil, err
	}
	return &all[0], nil
}

// failure returns the first error as an *InputError, or nil.
func (l *loader) failure() error {
	if l.Err == nil {
		return nil
	}
	return inputError(l.Err)
}

// scenarios reads the scenarios of the file: it adds the keys that they inherit, validates the whole against
// the schema, and decodes it.
func (l *loader) scenarios(file *yamltree.Tree) (all []Scenario) {
	list := file.Get("scenarios").Items
	for _, t := range list {
		l.inherit(t)
		l.known[t.Get("name").Text()] = t
	}
	delete(l.known, "") // without a name
	if l.Err != nil {
		return nil
	}
	valid := l.cat.vocabulary().check(file, l.instance(file))
	if l.Err != nil {
		return nil
	}
	l.absent = append(l.absent, absences(file.Get("absent"))...)
	first := map[string]*yamltree.Tree{}
	for _, t := range list {
		sc := l.scenario(t)
		if l.Err != nil {
			return nil
		}
		name := t.Fields["name"]
		if prior := first[sc.Name]; prior != nil {
			line, column := prior.Place()
			name.Fail("duplicate scenario name %q; the first is at line %d, column %d", sc.Name, line, column)
		}
		first[sc.Name] = name
		all = append(all, sc)
	}
	if !valid {
		file.Fail("the schema of scenario files refuses it")
	}
	return all
}

// instance returns the file in the form for the schema, in which each scenario names its subject.
func (l *loader) instance(file *yamltree.Tree) any {
	plain := file.Plain()
	f, _ := plain.(object)
	list, _ := f["scenarios"].([]any)
	for i, sc := range list {
		t := file.Fields["scenarios"].Items[i]
		if fields, ok := sc.(object); ok && t.Fields["subject"] == nil && t.Fields["base"] == nil {
			fields["subject"] = l.of(t).subject.Name
		}
	}
	return plain
}

// mostShare is more than any scenario should get.
const mostShare = 1000

// scenario decodes a scenario that is valid by the schema, and checks rules that involve several of its values.
func (l *loader) scenario(t *yamltree.Tree) Scenario {
	cat := l.of(t)
	s := cat.subject
	w, _ := s.Workload(t.Get("workload").Text())
	sc := Scenario{
		Name: t.Get("name").Text(), Group: t.Get("group").Text(), About: strings.TrimSpace(t.Get("about").Text()),
		Strategy: t.Get("strategy").Text(), MaxSteps: int(t.Get("max-steps").Int()),
		Subject: s.Name, Variant: t.Get(s.Name).Get(variantKey).Text(), Setup: params(t.Get(s.Name), s.Params),
		Workload: w.Name, Sizes: params(t.Get("sizes"), w.Params),
		Plan:   faults(t.Get("plan"), cat),
		Expect: verdict.Verdict(t.Get("expect").Text()), May: verdicts(t.Get("may")), Why: strings.TrimSpace(t.Get("why").Text()),
		Executions: int(t.Get("executions").Int()), Share: int(t.Get("share").Int()),
	}
	if mode := t.Get("mode").Text(); mode == Control.String() {
		sc.Mode = Control
	}
	sc.Clock, _ = control.ParseClock(cmp.Or(t.Get("clock").Text(), control.Lazy.String()))
	if _, err := strategy.Parse(nearest.Clip(sc.Strategy)); err != nil && t.Fields["strategy"] != nil {
		t.Get("strategy").Fail("strategy: %s", strings.TrimPrefix(err.Error(), strategy.ErrUnknown.Error()+": "))
	}
	if l.Err == nil {
		checkParams(&sc, t, s, w)
	}
	if want := sc.unmet(s); want != "" {
		t.Get("expect").Fail("expect: found %s without a plan, want %s", sc.Expect, want)
	}
	sc.leaveOut(l.absent, s.VariantNames())
	exceptions(t.Get("except"), &sc, s)
	return sc
}

func verdicts(t *yamltree.Tree) (all []verdict.Verdict) {
	for _, text := range t.Texts() {
		all = append(all, verdict.Verdict(text))
	}
	return all
}

// faults reads a plan: a fault for each point of each line. Only chaos/plan knows their keys.
func faults(t *yamltree.Tree, cat *catalogue) (all []chaos.Fault) {
	for _, line := range t.Items {
		line.Mapping(plan.KeyNames(), func(f *yamltree.Fields) { all = append(all, plan.ReadFaults(f, cat.check)...) })
		if len(all) > plan.MaxFaults {
			line.Fail("plan: with this one there are %d faults, want at most %d", len(all), plan.MaxFaults)
		}
	}
	return all
}

// unmet describes what the scenario lacks to meet its expectation, or returns "" if nothing
// is missing.
func (sc *Scenario) unmet(s *subject.Subject) string {
	switch {
	case sc.Expect == verdict.Pass || len(sc.Plan) > 0:
		return ""
	case sc.Expect == verdict.NeverReached:
		return "a fault that could be reached"
	case sc.Mode == Control || s.Variant(sc.Variant).Lossy:
		return ""
	}
	return "a fault that brings it about, or expect: pass"
}

// An InputError reports what is wrong with a file that a person wrote or kept: a
// scenario file or a recording. It is always one line.
type InputError struct {
	File string
	// Line and Column count from 1, the column in characters; 0 if the error is
	// not about a place in the file.
	Line, Column int
	// Problem describes what was found and what is wanted.
	Problem string
}

func (e *InputError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, e.Problem)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Problem)
}

// inputError turns the error of reading a text into an *InputError.
func inputError(err error) error {
	var e *yamltree.Error
	if errors.As(err, &e) {
		return (*InputError)(e)
	}
	return err
}
