package report

import (
	"time"

	"github.com/rouse-go/rouse/stress/internal/outcome"
)

// An Observer follows a run: a campaign, a run of a module's own tests, or of its mutants.
type Observer interface {
	// Observe is called by one goroutine at a time, and the run waits for it. The events of a run are
	//   - a *Campaign, a *Suite or a *Mutation, before anything is tested;
	//   - a Progress, a few times a second;
	//   - a *PackageReport for a package that could not be tested, is without tests, or has notes;
	//   - a *ScenarioReport, a *TestReport or a *MutantReport for each that is done, tests and mutants in order; the
	//     recording of a failure is already on disk. Scenarios that the end of the campaign interrupts are among them;
	//   - a *Report, a *SuiteReport or a *MutationReport, last, also after an interruption.
	Observe(Event)
}

// An Event is what an Observer is notified of. Observers do not change it, except for the PageFile of a failure.
type Event interface {
	print(*Console) // prints it for people
	lines() []any   // for machines; each is an object of JSON
}

// A Run is the first event of a run: a *Campaign, a *Suite or a *Mutation.
type Run interface {
	Event
	failures(n int) string // describes what failed so far
}

// A Result is the last event of a run: a *Report, a *SuiteReport or a *MutationReport.
type Result interface {
	Event
	headline() string // the result in one line
	junit(Page) *junitSuites
	annotations(Page) annotations
	markdown(*markdown, Page)
}

// Observers are the observers of one run.
type Observers []Observer

// Notify notifies the observers, in their order.
func (all Observers) Notify(e Event) {
	for _, ob := range all {
		ob.Observe(e)
	}
}

// An EachTest is an Observer that is called for each test, in order.
type EachTest func(TestReport)

// Observe calls f for a test.
func (f EachTest) Observe(e Event) {
	if t, ok := e.(*TestReport); ok {
		f(*t)
	}
}

// A Progress describes how far a run is. The scenario of a run of tests is a test, and that of mutants is a mutant.
type Progress struct {
	Scenario   string
	Index      int // from 0; in the first round of turns, how many scenarios have begun before
	Scenarios  int
	Turn       int           // number of the turn after the first round; 0 in it
	Executions int           // of this scenario, so far
	Unit       string        // what Executions counts; "" is "execution"
	Elapsed    time.Duration // since the run began
	// ScenarioElapsed is the time since this scenario began; Left is an estimate of the
	// remaining time of the run, 0 if there is none.
	ScenarioElapsed, Left time.Duration
	Failed                int                  // scenarios and tests that failed, and mutants that survived, so far
	Faults                []outcome.FaultCount // of this scenario, so far; not to be changed
}

func (Progress) lines() []any { return nil }

// A PageFile holds the location of a failure's page.
type PageFile struct {
	HTML   string // path; "" if there is none
	NoPage string // why there is none, if one was asked for
}

// line returns a line of text about the page, or "" if none was asked for.
func (f *PageFile) line() string {
	switch {
	case f.HTML != "":
		return "page: " + f.HTML
	case f.NoPage != "":
		return "no page: " + f.NoPage
	}
	return ""
}

// count counts the elements for which is returns true.
func count[T any](all []T, is func(*T) bool) (n int) {
	for i := range all {
		if is(&all[i]) {
			n++
		}
	}
	return n
}
