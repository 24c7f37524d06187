package corpus

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/chaos/verdict"
)

// The ways to look for a bug, in the order of the page's columns.
const (
	WayStress   = "stress test"
	WayPlain    = "go test"
	WayRace     = "-race"
	WayGoleak   = "goleak"
	WaySynctest = "synctest"
	WayGosched  = "Gosched"
)

// Ways lists all ways.
var Ways = []string{WayStress, WayPlain, WayRace, WayGoleak, WaySynctest, WayGosched}

// The outcomes of a way.
const (
	Found      = "found"
	NotFound   = "not found"
	DoesNotFit = "does not fit" // the fixed version fails, too
	CannotSee  = "cannot see"   // not found, and the way does not look for this kind of failure
)

// sees maps the verdicts that only some ways can report to these ways.
var sees = map[verdict.Verdict][]string{
	verdict.Leak:     {WayStress, WayGoleak, WaySynctest},
	verdict.DataRace: {WayStress, WayRace},
}

// A Comparison holds the results of all ways on a bug: a line of a file in results/beside.
type Comparison struct {
	Bug        string              `json:"bug"`
	Files      string              `json:"files"`
	Go         string              `json:"go"`
	Limit      int                 `json:"limit_s"`    // of each way, in seconds
	Processors int                 `json:"processors"` // that a test natively has
	Ways       map[string]*Attempt `json:"ways"`
}

// An Attempt is the result of one way.
type Attempt struct {
	Outcome    string `json:"outcome"`
	By         string `json:"by,omitempty"`         // the symptom: a failure, a hang, a data race ...
	Executions int    `json:"executions,omitempty"` // up to and with the first find, or all
	Ms         int    `json:"ms,omitempty"`         // likewise, rounded to two digits
}

// ReadComparisons reads the files of a folder.
func ReadComparisons(folder string) (map[string]*Comparison, error) {
	all := map[string]*Comparison{}
	return all, eachLine(folder, func(line []byte) error {
		c := new(Comparison)
		err := json.Unmarshal(line, c)
		all[c.Bug] = c
		return err
	})
}

// WriteComparisons writes the comparisons of a set.
func WriteComparisons(folder, set string, all map[string]*Comparison) error {
	var lines []*Comparison
	for _, c := range all {
		if strings.HasPrefix(c.Bug, set+"/") {
			lines = append(lines, c)
		}
	}
	return WriteLines(folder, set, lines, func(c *Comparison) string { return c.Bug })
}

// rounded keeps two digits, as further ones differ from one run to the next.
func rounded(ms int64) int {
	unit := int64(1)
	for ms/unit >= 100 {
		unit *= 10
	}
	return int((ms + unit/2) / unit * unit)
}

// outcome returns the outcome of a way on a bug. A way has not missed a bug that it does not look for.
func (c *Comparison) outcome(b *Bug, way string) string {
	a := c.Ways[way]
	switch {
	case a == nil:
		return ""
	case a.Outcome == NotFound && !c.canSee(b, way):
		return CannotSee
	}
	return a.Outcome
}

// canSee reports whether a way looks for the bug's verdict: that of stress test, or, if it found none, those of the
// table.
func (c *Comparison) canSee(b *Bug, way string) bool {
	verdicts := b.Verdicts
	if a := c.Ways[WayStress]; a != nil && a.Outcome == Found {
		verdicts = []verdict.Verdict{verdict.Verdict(a.By)}
	}
	return slices.ContainsFunc(verdicts, func(v verdict.Verdict) bool {
		ways, limited := sees[v]
		return !limited || slices.Contains(ways, way)
	})
}

func (a *Attempt) String() string {
	switch {
	case a == nil:
		return ""
	case a.Outcome == Found:
		return fmt.Sprintf("%s, %d", duration(a.Ms), a.Executions)
	case a.Outcome == NotFound:
		return fmt.Sprintf("- (%d)", a.Executions)
	}
	return a.Outcome
}

func duration(ms int) string {
	if ms < 1000 {
		return fmt.Sprintf("%d ms", ms)
	}
	return fmt.Sprintf("%.2g s", float64(ms)/1000)
}

const besides = `
## Beside other ways

The same tests by what a Go developer has, one after the other on one machine: the time and the
executions until the first find, or the executions in which nothing was found. Building is not
counted; the repetition and the shrinking of a failure of ` + "`stress test`" + ` are. A test that has not
ended after five seconds hangs, which counts as found when it began. A way *does not fit* if the
fixed test fails by it, too; the kernels in GOROOT have none, so that finds there are not checked.
It *cannot see* a bug, and has not missed it, if it has found nothing and does not look for what the
bug does: a goroutine that is left behind is a failure for goleak and synctest only, and a data race
for -race only. The peer for leaks is goleak, and the peer for data races -race. ` + "`stress test`" + `
runs with ` + "`--leaks`" + ` or ` + "`--race`" + ` where a bug's table says so. Tests that
call ` + "`chaos.Explore`" + ` are left out.

- *go test*: ` + "`-count`" + `, without further flags; *-race*: likewise with the race detector
- *goleak*: the test ends with goleak.VerifyNone
- *synctest*: the test runs in a bubble of testing/synctest
- *Gosched*: before each statement of the program or the library, one time in four, runtime.Gosched

`

// beside writes the comparison with other ways.
func (p *Page) beside(b *strings.Builder) {
	var bugs []*Bug
	for _, bug := range p.bugs() {
		if p.Beside[bug.ID()] != nil {
			bugs = append(bugs, bug)
		}
	}
	if len(bugs) == 0 {
		return
	}
	b.WriteString(besides)
	c := p.Beside[bugs[0].ID()]
	if n := len(Comparable(p.bugs())); len(bugs) < n {
		sample := "%d of %d bugs, a sample by their places in the tables: `bin/corpus beside --record --slice K/6`, as far as it was run. The times are rough: the machine may have had other work."
		b.WriteString(wrap(fmt.Sprintf(sample, len(bugs), n)) + "\n\n")
	}
	fmt.Fprintf(b, "Each way had %d s for a bug, and natively %d processors.\n\n", c.Limit, c.Processors)
	t := table{left: 1}
	t.add("way", "found", "not found", "cannot see", "does not fit", "found first", "missed, found by stress test", "found, missed by stress test", "median time of the finds")
	for _, way := range Ways {
		t.add(p.way(bugs, way)...)
	}
	t.write(b)
	b.WriteString("\n")
	t = table{}
	t.add(append([]string{"bug"}, Ways...)...)
	for _, bug := range bugs {
		cells := []string{"`" + bug.ID() + "`"}
		for _, way := range Ways {
			c := p.Beside[bug.ID()]
			cell := c.Ways[way].String()
			if c.outcome(bug, way) == CannotSee {
				cell = CannotSee
			}
			cells = append(cells, cell)
		}
		t.add(cells...)
	}
	t.write(b)
}

// way returns the row of a way in the summary.
func (p *Page) way(bugs []*Bug, way string) []string {
	outcomes := map[string]int{}
	first, lost, won := 0, 0, 0
	var times []int
	for _, bug := range bugs {
		c := p.Beside[bug.ID()]
		a, outcome := c.Ways[way], c.outcome(bug, way)
		if a == nil {
			continue
		}
		outcomes[outcome]++
		found, byStress := outcome == Found, c.outcome(bug, WayStress) == Found
		if found {
			times = append(times, a.Ms)
			if c.fastest() == way {
				first++
			}
		}
		if outcome == NotFound && byStress {
			lost++
		}
		if found && !byStress {
			won++
		}
	}
	return []string{way, fmt.Sprint(outcomes[Found]), fmt.Sprint(outcomes[NotFound]), fmt.Sprint(outcomes[CannotSee]), fmt.Sprint(outcomes[DoesNotFit]), fmt.Sprint(first), fmt.Sprint(lost), fmt.Sprint(won), duration(SpreadOf(times).Median)}
}

// fastest returns the way that found the bug in the shortest time, the first of Ways among equals.
func (c *Comparison) fastest() (best string) {
	for _, way := range Ways {
		a := c.Ways[way]
		if a != nil && a.Outcome == Found && (best == "" || a.Ms < c.Ways[best].Ms) {
			best = way
		}
	}
	return best
}
