package stress

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"regexp"
	"strings"

	"github.com/rouse-go/rouse/internal/input"
	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/rouse-go/rouse/internal/yamltree"
	"github.com/rouse-go/rouse/sleep"
)

// What is read of a file at most, in bytes. A recording holds dumps, or a million decisions; a journal
// what all scenarios came to.
const (
	maxInput   = 64 << 20
	maxJournal = 256 << 20
)

// FileVersion is the version of the scenario files that this package reads.
const FileVersion = 1

// LoadFile reads a scenario file. Errors about the file are *InputError; in a
// binary built without the chaos tag it returns ErrNotChaos.
func LoadFile(path string, subjects ...Subject) ([]Scenario, error) {
	data, err := readInput(path, maxInput)
	if err != nil {
		return nil, err
	}
	return Load(path, data, subjects...)
}

// Load reads the text of a scenario file; the name is for messages only. Every
// hook point, fault, workload and verdict is checked against this binary, and
// whatever could not mean what it says is refused: the first such place is the
// error, an *InputError. In a binary built without the chaos tag it returns
// ErrNotChaos. Scenarios may be of any of the subjects; without any, they are of the pool.
//
// The file is one YAML document; anchors, aliases and merge keys are welcome,
// tags are not. Its keys:
//
//	version: 1
//	extends: default             # see LoadExtending; absent: nothing
//	remove: [window-fenced]      # what is left out of that, one or a list
//	absent:                      # what strategies of sleep do not pass; absent or []: nothing
//	  - sleep: [rfc5]            # names of sleep.Variants, one or a list
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
//	    subject: queue           # one of the subjects; absent: the first, or the pool if there is a key pool
//	    pool:                    # of the pool's scenarios; others have none
//	      workers: [1, 2, 3]     # pool sizes to go through, by execution number; each at most 256
//	      sleep: rfc5            # a name of sleep.Variants; absent: the default, or what With says
//	      jec-bits: 1            # 1 to 62; absent: production width
//	      thread-bits: 16        # 1 to 30; jec-bits + 2*thread-bits <= 64
//	      initial-jec: max       # a number that fits jec-bits, or max; absent: 0
//	      rounds: 0              # until sleepy, 0 or more; absent: production value
//	      deque-capacity: 2      # a power of two, at most 4096; absent: production value
//	      max-injected: 1        # jobs from outside that may wait, at most 100000; absent: any number
//	    workload: inject         # see Workloads
//	    sizes:                   # those that the workload uses; absent: its own. Those of other
//	                             # subjects have what their Params say (3, 20us, a name, true);
//	                             # the pool's have these:
//	      jobs: 50               # at most 100000
//	      injectors: 2           # at most 1000
//	      depth: 3               # at most 64; of joins at most 16
//	      repeat: 4              # at most 1000; all jobs of an execution at most 131072
//	      pause: 200us           # above 0; the pauses of an execution at most 10s
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
//	    expect: pass             # a verdict; another than pass needs a plan, control, or a lossy strategy
//	    may: lost-wakeup         # a verdict, or a list of them, as good: chance decides; absent: none
//	    why: It is known.        # text: why that is expected; absent: it goes without saying
//	    executions: 200          # of one campaign, at most; absent: as time allows
//	    except:                  # what other strategies make of it; not if pool says sleep
//	      - sleep: [rfc5]        # names, one or a list
//	        without: [sleep/fenced]  # hook points of the plan that these do not pass
//	        expect: lost-wakeup  # absent: as otherwise, but pass if a fault is left out
//	        may: lost-wakeup     # as above
//	        why: It looks once.  # text, always
func Load(name string, data []byte, subjects ...Subject) ([]Scenario, error) {
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
	return fmt.Sprintf("%s, %s at %s", plural(len(scenarios), "scenario"), plural(faults, "fault"), plural(len(points), "hook point"))
}

// readInput reads a file that a person named, but not more of it than any valid
// one has.
func readInput(path string, most int64) ([]byte, error) {
	data, err := input.Read(path, most)
	var refused *input.Error
	switch {
	case errors.As(err, &refused):
		return nil, &InputError{File: path, Problem: refused.Error()}
	case err != nil:
		return nil, &InputError{File: path, Problem: "cannot be read: " + reason(err)}
	}
	return data, nil
}

// reason is an error of the file system without the path, which the message has
// already.
func reason(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

func load(name string, data []byte, cat *catalogue) ([]Scenario, error) {
	l, err := loaded(name, data, cat, nil)
	if err != nil {
		return nil, err
	}
	return l.all, nil
}

// loaded reads a file that may extend a campaign, or none if that is nil.
func loaded(name string, data []byte, cat *catalogue, campaign *loader) (*loader, error) {
	l, root, err := newLoader(yamltree.Source{File: name, Text: data}, cat)
	if err != nil {
		return nil, err
	}
	l.campaign = campaign
	l.document(root)
	return l, l.failure()
}

// A loader reads scenarios out of a tree.
type loader struct {
	*yamltree.Reader
	cat      *catalogue
	campaign *loader                     // what the file may extend; nil is nothing
	absent   []absence                   // what the file says of all its scenarios
	known    map[string]*yamltree.Fields // scenarios that others may name as their base
	all      []Scenario
}

// newLoader parses a text; root is what it holds. Errors are *InputErrors.
func newLoader(text yamltree.Source, cat *catalogue) (l *loader, root yamltree.Node, err error) {
	r, root, err := yamltree.Read(text)
	if err != nil {
		return nil, nil, inputError(err)
	}
	return &loader{Reader: r, cat: cat, known: map[string]*yamltree.Fields{}}, root, nil
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

var scenarioName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// mostShare is more than any scenario is to get.
const mostShare = 1000

// scenario reads one element of the list; it also returns the node of its name.
func (l *loader) scenario(n yamltree.Node) (sc Scenario, name yamltree.Node) {
	var sizes *yamltree.Fields
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
		{"strategy", func(n yamltree.Node) { sc.Strategy = l.strategy(n) }},
		{"max-steps", func(n yamltree.Node) { sc.MaxSteps = int(l.Number(n, "max-steps", 1, math.MaxInt32)) }},
		{"clock", func(n yamltree.Node) { sc.Clock = l.clock(n) }},
		{"pool", func(n yamltree.Node) { sc.Pool = l.pool(n) }},
		{"workload", func(n yamltree.Node) { sc.Workload = l.workload(n) }},
		{"sizes", func(n yamltree.Node) {
			if l.guest() {
				sc.Params = l.params(n, sc.Workload)
			} else {
				sc.Sizes, sizes = l.sizes(n)
			}
		}},
		{"plan", func(n yamltree.Node) { sc.Plan = l.plan(n) }},
		{"expect", func(n yamltree.Node) { sc.Expect = l.verdict(n, "expect") }},
		{"may", func(n yamltree.Node) { sc.May = l.others(n) }},
		{"why", func(n yamltree.Node) { sc.Why = l.why(n) }},
		{"executions", func(n yamltree.Node) { sc.Executions = int(l.Number(n, "executions", 1, math.MaxInt32)) }},
		{"share", func(n yamltree.Node) { sc.Share = int(l.Number(n, "share", 1, mostShare)) }},
		{"except", func(n yamltree.Node) { except = n }},
	}
	f := l.fields(n, "a scenario", reads)
	l.Own()
	l.inherit(f, keysOf(reads))
	if f.Has("pool") && !f.Has("subject") {
		l.ofPool()
	}
	f.Need("name", "about", "workload", "expect")
	l.each(f, reads)
	l.checkMode(&sc, f)
	l.known[sc.Name] = f
	if l.guest() {
		l.finishGuest(&sc, f)
		return sc, name
	}
	f.Need("pool")
	l.checkWorkers(&sc, f)
	l.checkSizes(&sc, f, sizes)
	l.checkExpectation(&sc, f)
	sc.leaveOut(l.absent)
	if except != nil {
		l.exceptions(except, &sc)
	}
	return sc, name
}

// hyphened reads the name of a scenario or of a group of them.
func (l *loader) hyphened(n yamltree.Node, what string) string {
	s := l.Text(n, what)
	if l.Err == nil && (len(s) > 64 || !scenarioName.MatchString(s)) {
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
	if _, ok := l.cat.workload(s); !ok && l.Err == nil {
		l.Fail(n, "unknown workload %q; %s", nearest.Clip(s), nearest.Hint(s, l.cat.workloadNames()))
	}
	return s
}

func (l *loader) verdict(n yamltree.Node, what string) Verdict {
	s := l.Text(n, what)
	for _, v := range Verdicts() {
		if string(v) == s {
			return v
		}
	}
	l.Fail(n, "unknown verdict %q; %s", nearest.Clip(s), nearest.Hint(s, verdictNames()))
	return ""
}

// checkExpectation refuses an expectation that nothing in the scenario can meet.
func (l *loader) checkExpectation(sc *Scenario, f *yamltree.Fields) {
	if want := sc.unmet(); want != "" && l.Err == nil {
		l.Fail(f.Value("expect"), "expect: found %s without a plan, want %s", sc.Expect, want)
	}
}

// unmet says what would have to be there for the scenario to meet its expectation; "" if
// nothing is missing.
func (sc *Scenario) unmet() string {
	variant, _ := sleep.VariantNamed(sc.Pool.Sleep)
	switch {
	case sc.Expect == Pass || len(sc.Plan) > 0 || sc.Subject != "":
		return ""
	case sc.Expect == NeverReached:
		return "a fault that could be reached"
	case sc.Mode == Control || variant.Lossy: // a counter that is too narrow is enough
		return ""
	}
	return "a fault that brings it about, or expect: pass"
}
