package report

// A mutationLine is the line "mutation".
type mutationLine struct {
	Line
	Seed          string   `json:"seed"`
	Packages      int      `json:"packages"`
	Mutants       int      `json:"mutants"`
	Found         int      `json:"found"` // by the operators; more than are tested if there is a sample
	Ways          []string `json:"ways"`
	BudgetSeconds float64  `json:"budget_seconds"`
	Version       string   `json:"version"`
	Go            string   `json:"go"`
	OS            string   `json:"os"`
	Arch          string   `json:"arch"`
	Time          string   `json:"time"`
}

// A mutantLine is the line "mutant".
type mutantLine struct {
	Line
	Package  string       `json:"package"`
	ID       string       `json:"id"`
	Operator string       `json:"operator"`
	File     string       `json:"file"`
	At       int          `json:"line"`
	Column   int          `json:"column"`
	Function string       `json:"function"`
	What     string       `json:"what"`
	Status   MutantStatus `json:"status"`
	Trials   []trialLine  `json:"trials,omitempty"`
	Tests    []string     `json:"tests,omitempty"` // that run over the line
	Diff     string       `json:"diff"`
	Problem  string       `json:"problem,omitempty"`
}

// A trialLine is the result of a mutant in one way.
type trialLine struct {
	Way     string       `json:"way"`
	Outcome TrialOutcome `json:"outcome"`
	By      string       `json:"by,omitempty"`   // the test that failed
	What    string       `json:"what,omitempty"` // how
	Tests   int          `json:"tests"`          // that ran
	Of      int          `json:"planned_tests,omitempty"`
	Seconds float64      `json:"seconds"`
	Resumed bool         `json:"resumed,omitempty"`
	// Under stress test: fewer than planned if the time was up.
	Executions int `json:"executions,omitempty"`
	Planned    int `json:"planned,omitempty"`
}

// A mutationEndLine is the line "end". A report without it is incomplete.
type mutationEndLine struct {
	Line
	Passed      bool           `json:"passed"` // the score is not below that wanted, and nothing was interrupted
	Interrupted bool           `json:"interrupted"`
	Score       float64        `json:"score"` // killed of those that count
	Killed      int            `json:"killed"`
	Survived    int            `json:"survived"`
	Uncovered   int            `json:"uncovered"`
	Untested    int            `json:"untested"`
	Equivalent  int            `json:"equivalent"`
	Invalid     int            `json:"invalid"`
	Errors      int            `json:"errors"`
	ByWay       map[string]int `json:"by_way"` // killed
	Broken      int            `json:"broken"` // packages
	Seconds     float64        `json:"seconds"`
}

func (m *Mutation) lines() []any {
	return []any{mutationLine{kind("mutation"), HexSeed(m.Seed), m.Packages, m.Mutants, m.Found, m.Ways, m.Budget.Seconds(),
		m.Build.Version, m.Go, m.Build.OS, m.Build.Arch, now()}}
}

func (m *MutantReport) lines() []any {
	var trials []trialLine
	for _, t := range m.Trials {
		trials = append(trials, trialLine{t.Way, t.Outcome, t.By, t.What, t.Tests, t.PlannedTests, t.Duration.Seconds(), t.Resumed, t.Executions, t.Planned})
	}
	return []any{mutantLine{kind("mutant"), m.Package, m.ID, m.Operator, m.File, m.Line, m.Column, m.Function, m.What, m.Status, trials,
		m.Tests, m.Diff, m.Problem}}
}

func (r *MutationReport) lines() []any {
	all := r.total()
	by := map[string]int{}
	for i, way := range r.Mutation.Ways {
		by[way] = all.by[i]
	}
	return []any{mutationEndLine{kind("end"), !r.Failed() && r.Broken() == 0 && !r.Interrupted && r.Trouble == "", r.Interrupted, all.score(),
		all.with[MutantKilled], all.with[MutantSurvived], all.with[MutantUncovered], all.with[MutantUntested], all.with[MutantEquivalent], all.with[MutantInvalid], all.with[MutantError], by, r.Broken(), r.Duration.Seconds()}}
}
