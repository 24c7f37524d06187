package scenario

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/input"
	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/rouse-go/rouse/internal/yamltree"
	"github.com/rouse-go/rouse/stress/internal/prose"
	"github.com/rouse-go/rouse/stress/subject"
)

// What is read of a file at most, in bytes. A recording holds dumps, or a million decisions; a journal
// what all scenarios came to.
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

// Load reads the text of a scenario file; the name is for messages only. Every
// hook point, fault, workload and verdict is checked against this binary, and
// whatever could not mean what it says is refused: the first such place is the
// error, an *InputError. In a binary built without the chaos tag it returns
// ErrNotChaos. Scenarios may be of any of the subjects, of which there must be one.
//
// The file is one YAML document; anchors, aliases and merge keys are welcome,
// tags are not. Its keys:
//
//	version: 1
//	extends: default             # see below; absent: nothing
//	remove: [window-fenced]      # what is left out of that, one or a list
//	absent:                      # what variants do not pass; absent or []: nothing
//	  - variant: [rfc5]          # names of variants, one or a list
//	    points: [sleep/fenced]   # hook points: faults there are left out, see except
//	    why: It looks only once. # text
//	scenarios:                   # at least one
//	  - name: window-registered  # lower-case words joined by hyphens; unique
//	    base: window-fenced      # another scenario, of which it has what it does not say; absent: none
//	    remove: [sizes]          # with a base: keys of it that it does not have, one or a list
//	    group: windows           # likewise, what it belongs to; absent: nothing
//	    about: what it shows     # text
//	    mode: native             # or control: one task at a time; absent: native
//	    strategy: pct(5)         # control only: see strategy.Parse; absent: portfolio
//	    max-steps: 100000        # control only: an execution is cut after so many decisions
//	    clock: racy              # control only: timers fire at any step; absent: lazy, when nobody can go on
//	    subject: pool            # one of the subjects; absent: that of a key below, or the first
//	    pool:                    # the name of the subject: its parameters; those that are lists
//	      workers: [1, 2, 3]     # in turn, by execution number
//	      variant: rfc5          # of the subject's variants; absent: the default, or what With says
//	    workload: inject         # one of the subject's
//	    sizes:                   # parameters of the workload; absent: its own defaults
//	      jobs: 50               # stress list --workloads shows them all
//	      pause: 200us
//	    plan:                    # absent or []: nothing goes wrong
//	      - at: sleep/registered # a hook point, or a list of them: a fault at each
//	        fault: delay         # one that the point offers
//	        task: worker 0       # whom it strikes, a star is any text: "worker *"; absent: all
//	        from: 10             # the first of a task's hits that may fire; absent: as every says
//	        every: 3             # and every third from there; absent: all. Alone: 3, 6, 9 ...
//	        probability: 0.5     # of those, above 0, at most 1; absent: 1
//	        count: 100           # of those that are drawn, in an execution; absent: no bound
//	        for: 50us..2ms       # delay, and needed there: a duration or a range, at most 10s;
//	                             # hold: how long at most; absent: 1s
//	        shape: pareto        # delay only: uniform, exponential or pareto; absent: uniform
//	        mean: 100us          # of an exponential or a pareto, and needed there
//	        until: sleep/fenced  # hold only, and needed there: another point, that another task passes
//	        by: -2               # roll only: added to the counter; absent: -2
//	        to: 0                # roll only, instead of by: what the counter becomes
//	    expect: pass             # a verdict; another than pass needs a plan, control, or a lossy variant
//	    may: lost-wakeup         # a verdict, or a list of them, as good: chance decides; absent: none
//	    why: It is known.        # text: why that is expected; absent: it goes without saying
//	    executions: 200          # of one campaign, at most; absent: as time allows
//	    except:                  # what is expected with other variants; not if it names one itself
//	      - variant: [rfc5]      # names, one or a list
//	        without: [sleep/fenced]  # hook points of the plan that these do not pass
//	        expect: lost-wakeup  # absent: as otherwise, but pass if a fault is left out
//	        may: lost-wakeup     # as above
//	        why: It looks once.  # text, always
//
// The scenarios of the campaign that a file extends (Default) come first, in their order, except for those that
// it removes. A scenario of the file that has the name of one of them takes its place; others come
// after them. What the campaign says under absent holds for the file's scenarios as well.
//
// A scenario may name another as its base, one of the campaign that the file extends or an earlier one of
// the file, its own name included. It then has all the keys of that but its name, and those
// that it removes. A key that it has itself replaces the base's; of mappings (the parameters of a
// subject, sizes), each key does. So
//
//   - {name: leavers, base: leavers, pool: {workers: [8]}}
//
// is the campaign's leavers with eight workers and all else as it was. An error is always about
// the file: what the base has and does not fit is reported where the file names the base.
func Load(name string, data []byte, subjects ...subject.Subject) ([]Scenario, error) {
	cat, err := installedCatalogue(subjects...)
	if err != nil {
		return nil, err
	}
	return load(name, data, cat)
}

// Summary says in one line how much the scenarios are.
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

// readInput reads a file that a person named, but not more of it than any valid
// one has.
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

// reason is an error of the file system without the path, which the message has
// already.
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

// loaded reads a file that may extend the campaign in the binary, or may not.
func loaded(name string, data []byte, cat *catalogue, extending bool) (*loader, error) {
	l, root, err := newLoader(yamltree.Source{File: name, Text: data}, cat)
	if err != nil {
		return nil, err
	}
	l.extending = extending
	l.document(root)
	return l, l.failure()
}

// A loader reads scenarios out of a tree.
type loader struct {
	*yamltree.Reader
	cat       *catalogue
	extending bool                        // the file may extend the campaign
	absent    []absence                   // of all scenarios of the file
	known     map[string]*yamltree.Fields // scenarios that others may name as their base
	all       []Scenario
}

// newLoader parses a text; root is what it holds. Errors are *InputErrors.
func newLoader(text yamltree.Source, cat *catalogue) (l *loader, root yamltree.Node, err error) {
	r, root, err := yamltree.Read(text)
	if err != nil {
		return nil, nil, inputError(err)
	}
	return &loader{Reader: r, cat: cat, known: map[string]*yamltree.Fields{}}, root, nil
}

// One reads the list of one scenario that a recording has: EncodeOne writes it.
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
	all := l.scenarios(root)
	if l.Err == nil && len(all) != 1 {
		l.Fail(root, "found %d scenarios, want the one that was recorded", len(all))
	}
	if err := l.failure(); err != nil {
		return nil, err
	}
	return &all[0], nil
}

// failure is the first error as an *InputError, or nil.
func (l *loader) failure() error {
	if l.Err == nil {
		return nil
	}
	return inputError(l.Err)
}

func (l *loader) document(root yamltree.Node) {
	l.checkVersion(root)
	reads := []fieldReader{
		{"version", func(yamltree.Node) {}},
		{"extends", l.extends},
		{"remove", l.remove},
		{"absent", func(n yamltree.Node) { l.absent = append(l.absent, l.absences(n)...) }},
		{"scenarios", func(n yamltree.Node) { l.put(l.scenarios(n)) }},
	}
	f := l.fields(root, "the file", reads)
	f.Need("version")
	if !f.Has("extends") {
		f.Need("scenarios")
	}
	if f.Has("remove") && !f.Has("extends") {
		l.Fail(f.At("remove"), "remove: found it in a file that extends nothing; want extends: %s, or no remove", extendsDefault)
	}
	l.each(f, reads)
	if l.Err == nil && len(l.all) == 0 {
		l.Fail(root, "no scenario is left, want at least one")
	}
}

// checkVersion comes before everything else: a file of another version may well
// have other keys.
func (l *loader) checkVersion(root yamltree.Node) {
	if n, ok := l.Peek(root, "version"); ok && (!l.IsInteger(n) || l.Written(n) != fmt.Sprint(FileVersion)) {
		l.Fail(n, "version: found %s, want %d: the version that this program reads", l.Found(n), FileVersion)
	}
}

func (l *loader) scenarios(n yamltree.Node) (scenarios []Scenario) {
	elements := l.Elements(n, "scenarios")
	if len(elements) == 0 {
		l.Fail(n, "scenarios: the list is empty, want at least one scenario")
	}
	first := map[string]yamltree.Node{}
	for _, e := range elements {
		if l.Err != nil {
			return nil
		}
		sc, name := l.scenario(e)
		if prior, ok := first[sc.Name]; ok {
			line, column := l.Place(prior)
			l.Fail(name, "duplicate scenario name %q; the first is at line %d, column %d", sc.Name, line, column)
		}
		first[sc.Name] = name
		scenarios = append(scenarios, sc)
	}
	return scenarios
}

// mostShare is more than any scenario is to get.
const mostShare = 1000

// scenario reads one element of the list; it also returns the node of its name.
func (l *loader) scenario(n yamltree.Node) (sc Scenario, name yamltree.Node) {
	var setup, sizes *yamltree.Fields
	var except yamltree.Node
	defer func(cat *catalogue) { l.cat = cat }(l.cat)
	reads := []fieldReader{
		{"subject", func(n yamltree.Node) { l.subject(n) }},
		{"name", func(n yamltree.Node) { name, sc.Name = n, l.hyphened(n, "name") }},
		{"base", func(yamltree.Node) {}},
		{"remove", func(yamltree.Node) {}},
		{"group", func(n yamltree.Node) { sc.Group = l.hyphened(n, "group") }},
		{"about", func(n yamltree.Node) { sc.About = l.about(n) }},
		{"mode", func(n yamltree.Node) { sc.Mode = l.mode(n) }},
		{"strategy", func(n yamltree.Node) { sc.Strategy = l.Strategy(n) }},
		{"max-steps", func(n yamltree.Node) { sc.MaxSteps = int(l.Number(n, "max-steps", 1, math.MaxInt32)) }},
		{"clock", func(n yamltree.Node) { sc.Clock = l.clock(n) }},
		{"workload", func(n yamltree.Node) { sc.Workload = l.workload(n) }},
		{"sizes", func(n yamltree.Node) { sizes = l.sizes(n, &sc) }},
		{"plan", func(n yamltree.Node) { sc.Plan = l.plan(n) }},
		{"expect", func(n yamltree.Node) { sc.Expect = l.verdict(n, "expect") }},
		{"may", func(n yamltree.Node) { sc.May = l.others(n) }},
		{"why", func(n yamltree.Node) { sc.Why = l.why(n) }},
		{"executions", func(n yamltree.Node) { sc.Executions = int(l.Number(n, "executions", 1, math.MaxInt32)) }},
		{"share", func(n yamltree.Node) { sc.Share = int(l.Number(n, "share", 1, mostShare)) }},
		{"except", func(n yamltree.Node) { except = n }},
	}
	// The parameters of a subject stand under its name, which is read before the workload.
	for i := range l.cat.subjects {
		s := &l.cat.subjects[i]
		reads = slices.Insert(reads, beforeWorkload(reads), fieldReader{s.Name, func(n yamltree.Node) {
			if l.cat.subject.Name != s.Name {
				l.Fail(n, "%s: found it in a scenario of %s, want no parameters of another subject", s.Name, l.cat.subject.Name)
				return
			}
			setup = l.setup(n, &sc)
		}})
	}
	f := l.fields(n, "a scenario", reads)
	l.Own()
	l.inherit(f, keysOf(reads))
	l.byKey(f)
	f.Need("name", "about", "workload", "expect")
	l.each(f, reads)
	sc.Subject = l.cat.subject.Name
	l.checkMode(&sc, f)
	l.known[sc.Name] = f
	l.checkParams(&sc, f, setup, sizes)
	l.checkExpectation(&sc, f)
	sc.leaveOut(l.absent, l.cat.subject.VariantNames())
	if except != nil && len(l.cat.subject.Variants) == 0 {
		l.Fail(f.At("except"), "except: found it in a scenario of %s, which has no variants", sc.Subject)
	} else if except != nil {
		l.exceptions(except, &sc)
	}
	return sc, name
}

// beforeWorkload is where the keys of the subjects belong.
func beforeWorkload(reads []fieldReader) int {
	return slices.IndexFunc(reads, func(r fieldReader) bool { return r.key == "workload" })
}

// hyphened reads the name of a scenario or of a group of them.
func (l *loader) hyphened(n yamltree.Node, what string) string {
	s := l.Text(n, what)
	if l.Err == nil && (len(s) > 64 || !subject.Hyphened.MatchString(s)) {
		l.Fail(n, "%s: found %q, want lower-case words joined by hyphens, at most 64 characters", what, nearest.Clip(s))
	}
	return s
}

func (l *loader) about(n yamltree.Node) string { return l.words(n, "about", "what the scenario shows") }

// words reads a text for people, which is to say something.
func (l *loader) words(n yamltree.Node, what, want string) string {
	s := strings.TrimSpace(l.Text(n, what))
	if s == "" {
		l.Fail(n, "%s: found an empty text, want %s", what, want)
	}
	return s
}

func (l *loader) workload(n yamltree.Node) string {
	s := l.Text(n, "workload")
	if _, ok := l.cat.subject.Workload(s); !ok && l.Err == nil {
		l.Fail(n, "unknown workload %q; %s", nearest.Clip(s), nearest.Hint(s, l.cat.subject.WorkloadNames()))
	}
	return s
}

func (l *loader) verdict(n yamltree.Node, what string) verdict.Verdict {
	s := l.Text(n, what)
	for _, v := range verdict.All() {
		if string(v) == s {
			return v
		}
	}
	l.Fail(n, "unknown verdict %q; %s", nearest.Clip(s), nearest.Hint(s, verdictNames()))
	return ""
}

// checkExpectation refuses an expectation that nothing in the scenario can meet.
func (l *loader) checkExpectation(sc *Scenario, f *yamltree.Fields) {
	if want := sc.unmet(l.cat.subject); want != "" && l.Err == nil {
		l.Fail(f.Value("expect"), "expect: found %s without a plan, want %s", sc.Expect, want)
	}
}

// unmet says what would have to be there for the scenario to meet its expectation; "" if
// nothing is missing.
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
