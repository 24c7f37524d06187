package report

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vbauerster/mpb/v8/decor"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress/internal/outcome"
)

// A screen is a terminal as far as a display goes: lines, and a cursor at the beginning of
// one, which moves up and erases what is below.
type screen struct {
	mu    sync.Mutex
	lines []string
	row   int
	most  int // lines there ever were
	wide  int // the widest line there ever was
	odd   []string
}

var escapes = regexp.MustCompile(`^\x1b\[(\d*)([A-Z])`)

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for text := string(p); text != ""; {
		if m := escapes.FindStringSubmatch(text); m != nil {
			n, _ := strconv.Atoi(m[1])
			switch m[2] {
			case "A":
				s.row -= n
			case "J":
				s.lines = s.lines[:s.row]
			default:
				s.odd = append(s.odd, m[0])
			}
			text = text[len(m[0]):]
			continue
		}
		line, rest, whole := strings.Cut(text, "\n")
		if !whole || strings.ContainsAny(line, "\r\x1b") {
			s.odd = append(s.odd, line)
		}
		if text = rest; s.row < 0 {
			s.odd = append(s.odd, "above the screen")
			s.row = 0
		}
		s.lines = append(s.lines[:s.row], line)
		s.row++
		s.most, s.wide = max(s.most, s.row), max(s.wide, len([]rune(line)))
	}
	return len(p), nil
}

func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.lines[:s.row], "\n") + "\n"
}

// await returns when the screen shows that.
func (s *screen) await(text string) {
	for !strings.Contains(s.String(), text) {
		runtime.Gosched()
	}
}

// TestConsoleOnTerminal: the display shows what it is to, what is kept stands above it, and at the
// end nothing else is left.
func TestConsoleOnTerminal(t *testing.T) {
	for _, sameTerminal := range []bool{true, false} {
		s, width := &screen{}, func() int { return 70 }
		var kept, plain bytes.Buffer
		c := &Console{Out: &kept, Status: s, StatusWidth: width, Command: []string{"stress"}}
		if sameTerminal {
			c.Out, c.OutWidth = s, func() int { return LogWidth }
		}
		c.Observe(&Campaign{Seed: 7, Scenarios: 2, For: time.Hour})
		p := Progress{Scenario: "first", Scenarios: 2, Executions: 50, Elapsed: 10 * time.Second, ScenarioElapsed: 10 * time.Second, Left: 30 * time.Second,
			Faults: []outcome.FaultCount{{At: "test/notify", Kind: "drop", Hits: 4000, Fires: 1234}}}
		c.Observe(p)
		s.await("1,234/4,000")
		for _, want := range []string{"[1/2] [====", "first: 50 executions, 5/s\n", "10s since the beginning, about 30s left; all as expected\n", "\n      drop at test/notify 1,234/4,000\n"} {
			if !strings.Contains(s.String(), want) {
				t.Errorf("no %q on\n%s", want, s)
			}
		}
		done := ScenarioReport{Name: "first", Verdict: verdict.Pass, Expect: verdict.Pass, AsExpected: true, Executions: 50, Duration: time.Second}
		c.Observe(&done)
		p.Scenario, p.Index, p.Executions, p.ScenarioElapsed, p.Left, p.Failed, p.Faults = strings.Repeat("long", 50), 1, 3, time.Second, 0, 1, nil
		c.Observe(p)
		s.await("[2/2]")
		s.await("\n10s since the beginning; 1 scenario not as expected\n")
		if text := s.String(); sameTerminal != (strings.Contains(text, "ok    first ") && strings.Index(text, "ok    first ") < strings.Index(text, "[2/2]")) {
			t.Errorf("what is kept is not above the display:\n%s", text)
		}
		c.Observe(&Report{Campaign: Campaign{Seed: 7}, Scenarios: []ScenarioReport{done}})

		q := &Console{Out: &plain}
		q.Observe(&Campaign{Seed: 7, Scenarios: 2, For: time.Hour})
		q.Observe(&done)
		q.Observe(&Report{Campaign: Campaign{Seed: 7}, Scenarios: []ScenarioReport{done}})
		if left := s.String() + kept.String(); strings.TrimLeft(left, "\n") != plain.String() {
			t.Errorf("what is left:\n%s\nwant\n%s", left, &plain)
		}
		if c.Err() != nil || len(s.odd) > 0 || s.wide > 110 && !sameTerminal {
			t.Errorf("%v, %q, %d columns", c.Err(), s.odd, s.wide)
		}
	}
}

// TestConsoleLeavesTheSame: what stays on a terminal is what a log gets.
func TestConsoleLeavesTheSame(t *testing.T) {
	s := &screen{}
	observe(&Console{Out: s, OutWidth: func() int { return LogWidth }, Status: s, StatusWidth: func() int { return 30 }, Command: []string{"stress"}})
	var plain bytes.Buffer
	observe(&Console{Out: &plain, Command: []string{"stress"}})
	if s.String() != plain.String() {
		t.Errorf("what stays on the terminal:\n%s\nwant\n%s", s, &plain)
	}
}

// TestTerminalThatGoes: what is to be kept is not lost in silence.
func TestTerminalThatGoes(t *testing.T) {
	gone := brokenTerminal{errors.New("gone")}
	c := &Console{Out: gone, OutWidth: func() int { return 80 }, Status: gone, StatusWidth: func() int { return 80 }}
	observe(c)
	if c.Err() != gone.err {
		t.Errorf("got %v", c.Err())
	}
}

type brokenTerminal struct{ err error }

func (b brokenTerminal) Write([]byte) (int, error) { return 0, b.err }

var _ io.Writer = brokenTerminal{}

// TestShowWhileTheBarIsDrawn: show and the bar, which reads the lines in a goroutine of its own, do not
// wait for each other.
func TestShowWhileTheBarIsDrawn(t *testing.T) {
	d := newDisplay(io.Discard, func() int { return 70 })
	drawing := make(chan struct{})
	var drawn sync.WaitGroup
	drawn.Go(func() {
		d.bar.TraverseDecorators(func(decor.Decorator) { // in the bar's goroutine, as fill is
			close(drawing)
			for head := ""; head == ""; runtime.Gosched() {
				d.mu.Lock()
				head = d.head
				d.mu.Unlock()
			}
		})
	})
	<-drawing
	d.show(Progress{Scenario: "window", Scenarios: 1, Elapsed: time.Second, Left: time.Second}, "")
	drawn.Wait()
	d.close()
}

func TestRate(t *testing.T) {
	var r rate
	for i, c := range []struct {
		index, executions int
		at                time.Duration
		want              float64
	}{
		{0, 0, 0, 0}, {0, 10, time.Second, 10}, {0, 40, 4 * time.Second, 10}, {0, 140, 9 * time.Second, 16.25}, {0, 140, 30 * time.Second, 0}, {1, 6, 2 * time.Second, 3},
	} {
		got := r.of(Progress{Index: c.index, Executions: c.executions, ScenarioElapsed: c.at})
		if got != c.want {
			t.Errorf("%d: %v, want %v", i, got, c.want)
		}
	}
}

func TestBusiest(t *testing.T) {
	var all []outcome.FaultCount
	for _, n := range []uint64{5, 1, 9, 9, 2, 7} {
		all = append(all, outcome.FaultCount{Fires: n})
	}
	var got []uint64
	for _, f := range busiest(all, 3) {
		got = append(got, f.Fires)
	}
	if len(got) != 3 || got[0] != 9 || got[1] != 9 || got[2] != 7 || len(busiest(all, 6)) != 6 {
		t.Errorf("got %v", got)
	}
}
