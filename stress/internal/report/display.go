package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/rouse-go/rouse/internal/evidence"
	"github.com/rouse-go/rouse/internal/plain"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/internal/prose"
)

// refreshTime is the interval at which the display is drawn.
const refreshTime = 200 * time.Millisecond

// A display is the live part of a terminal: a bar for the campaign, and the current scenario below
// it. Results are written above it. It neither hides the cursor nor changes the terminal's mode, so
// nothing needs to be restored, however the process ends.
type display struct {
	bars *mpb.Progress
	bar  *mpb.Bar

	mu    sync.Mutex // mpb asks in goroutines of its own
	head  string
	below []string
	rates rate
}

// displayParts is the number of parts of the whole bar.
const displayParts = 1000

// newDisplay returns a display that shows nothing until the first call of show. The width is used if out is no
// terminal.
func newDisplay(out io.Writer, width func() int) *display {
	d := &display{}
	d.bars = mpb.New(mpb.WithOutput(out), mpb.WithWidth(width()), mpb.WithAutoRefresh(), mpb.WithRefreshRate(refreshTime))
	d.bar = d.bars.New(displayParts, mpb.BarStyle().Lbound("[").Filler("=").Tip(">").Padding(" ").Rbound("]"),
		mpb.PrependDecorators(decor.Any(func(decor.Statistics) string {
			d.mu.Lock()
			defer d.mu.Unlock()
			return d.head
		})),
		mpb.BarExtender(mpb.BarFillerFunc(d.fill), false),
		mpb.BarRemoveOnComplete(),
	)
	return d
}

// fill writes the lines below the bar, none wider than the terminal.
func (d *display) fill(w io.Writer, s decor.Statistics) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, line := range d.below {
		if _, err := fmt.Fprintln(w, clipped(plain.Text(line), s.AvailableWidth-1)); err != nil {
			return err
		}
	}
	return nil
}

func clipped(line string, width int) string {
	if utf8.RuneCountInString(line) <= width {
		return line
	}
	return string([]rune(line)[:max(width, 0)])
}

// show updates the display. failures describes what failed so far.
func (d *display) show(p Progress, failures string) {
	done := d.take(p, failures)
	d.bar.SetCurrent(done) // not under the lock: it waits for the bar, which may be in fill
}

// take keeps the lines to show, and returns the length of the bar.
func (d *display) take(p Progress, failures string) (done int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.head = p.place()
	d.below = []string{
		fmt.Sprintf("%s: %s, %s/s", p.Scenario, prose.Plural(p.Executions, cmp.Or(p.Unit, "execution")), short(d.rates.of(p))),
		fmt.Sprintf("%s; %s", p.times(), failures),
	}
	for _, f := range busiest(p.Faults, mostFires) {
		d.below = append(d.below, below+fmt.Sprintf("%s at %s %s/%s", f.Kind, f.At, evidence.Thousands(f.Fires), evidence.Thousands(f.Hits)))
	}
	if all := p.Elapsed + p.Left; p.Left > 0 && all > 0 {
		done = int64(displayParts * float64(p.Elapsed) / float64(all))
	}
	return min(done, displayParts-1) // a full bar disappears
}

// mostFires is how many faults are shown; a plan may have many.
const mostFires = 6

// busiest returns the faults that fired most, in the order of the plan.
func busiest(faults []outcome.FaultCount, most int) []outcome.FaultCount {
	if len(faults) <= most {
		return faults
	}
	fires := make([]uint64, len(faults))
	for i, f := range faults {
		fires[i] = f.Fires
	}
	slices.Sort(fires)
	least := fires[len(fires)-most]
	var kept []outcome.FaultCount
	for _, f := range faults {
		if f.Fires >= least && len(kept) < most {
			kept = append(kept, f)
		}
	}
	return kept
}

// above writes a line above the display.
func (d *display) above(text string) error {
	_, err := io.WriteString(d.bars, text+"\n")
	return err
}

// close removes the display from the terminal; the lines above it stay.
func (d *display) close() {
	d.bar.Abort(true)
	d.bars.Wait()
}

// A rate measures the rate of executions over the last seconds.
type rate struct {
	scenario int
	name     string
	at       []Progress // the oldest first
}

// rateTime is the time over which a rate is measured.
const rateTime = 5 * time.Second

// of adds a measurement, and returns executions a second.
func (r *rate) of(p Progress) float64 {
	if len(r.at) == 0 || r.scenario != p.Index || r.name != p.Scenario {
		r.scenario, r.name, r.at = p.Index, p.Scenario, []Progress{{}} // it began with none
	}
	for len(r.at) > 1 && p.ScenarioElapsed-r.at[1].ScenarioElapsed > rateTime {
		r.at = r.at[1:]
	}
	first := r.at[0]
	r.at = append(r.at, Progress{Executions: p.Executions, ScenarioElapsed: p.ScenarioElapsed})
	if took := p.ScenarioElapsed - first.ScenarioElapsed; took > 0 {
		return float64(p.Executions-first.Executions) / took.Seconds()
	}
	return 0
}
