package stress

import (
	"reflect"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/sleep"
)

const exceptional = `version: 1
absent:
  - sleep: [tickle, tickle-swap]
    points: [test/notify, test/count]
    why: Not there.
  - {sleep: rfc5, points: test/count, why: No counter.}
scenarios:
  - name: passes
    about: b
    pool: {workers: [1]}
    workload: inject
    plan: &both [{at: test/passed, fault: yield}, {at: test/notify, fault: drop}]
    expect: pass
    except: &may [{sleep: rfc5, may: lost-wakeup, why: Perhaps.}]
  - name: fails
    about: b
    pool: {workers: [1]}
    workload: inject
    plan: *both
    expect: lost-wakeup
    why: Always.
    except: [{sleep: [jec-two-idle, tickle-swap], expect: deadlock, may: [leak, panic], why: Two.}]
  - name: own
    about: b
    pool: {workers: [1], sleep: rfc5}
    workload: inject
    expect: lost-wakeup
    may: deadlock
  - name: other
    about: b
    pool: {workers: [1]}
    workload: inject
    expect: pass
    except: *may
`

// TestWith: what becomes of a scenario with each strategy follows from what it says, and
// from what the file says.
func TestWith(t *testing.T) {
	scenarios, err := load("f.yaml", []byte(exceptional), testCatalogue())
	if err != nil {
		t.Fatal(err)
	}
	again, err := load("again.yaml", Encode(scenarios), testCatalogue())
	if err != nil || !reflect.DeepEqual(again, scenarios) {
		t.Errorf("%v; encoded and loaded again:\ngot  %+v\nwant %+v\n%s", err, again, scenarios, Encode(scenarios))
	}
	both := []chaos.Fault{{At: "test/passed", Kind: hooks.Yields}, {At: "test/notify", Kind: hooks.Drops}}
	for _, c := range []struct {
		number int
		with   string
		sleep  string
		plan   []chaos.Fault
		expect string
		why    string
	}{
		{0, "jec", "jec", both, "pass", ""},
		{0, "rfc5", "rfc5", both, "pass or lost-wakeup", "Perhaps."},
		{0, "tickle", "tickle", both[:1], "pass", "Not there."},
		{1, "jec", "jec", both, "lost-wakeup", "Always."},
		{1, "tickle", "tickle", both[:1], "pass", "Always. Not there."},
		{1, "tickle-swap", "tickle-swap", both[:1], "deadlock or leak or panic", "Always. Not there. Two."},
		{1, "jec-two-idle", "jec-two-idle", both, "deadlock or leak or panic", "Always. Two."},
		{2, "tickle", "rfc5", nil, "lost-wakeup or deadlock", ""},
		{3, "rfc5", "rfc5", nil, "pass or lost-wakeup", "Perhaps."},
		{3, "tickle", "tickle", nil, "pass", ""},
	} {
		got := scenarios[c.number].With(c.with)
		if got.Pool.Sleep != c.sleep || !reflect.DeepEqual(got.Plan, c.plan) || got.Expected() != c.expect || got.Why != c.why || got.Except != nil {
			t.Errorf("%s with %s: %+v", scenarios[c.number].Name, c.with, got)
		}
		if again, err := load("f.yaml", Encode([]Scenario{got}), testCatalogue()); err != nil || !reflect.DeepEqual(again[0], got) {
			t.Errorf("%s cannot be recorded: %v, %+v\n%s", got.Title(), err, again, Encode([]Scenario{got}))
		}
	}
	var titles []string
	for _, sc := range WithEach(scenarios[1:], []string{"jec", "tickle"}) {
		titles = append(titles, sc.Title())
	}
	if want := []string{"fails with jec", "fails with tickle", "own with rfc5", "other with jec", "other with tickle"}; !reflect.DeepEqual(titles, want) {
		t.Errorf("got %q, want %q", titles, want)
	}
}

// TestMay: a conviction that may be is as good as what is expected, and ends the scenario.
func TestMay(t *testing.T) {
	for _, c := range []struct {
		script     string
		expect     Verdict
		verdict    Verdict
		asExpected bool
		executions int
	}{
		{"pass", Pass, Pass, true, 5},
		{"pass deadlock", Pass, Deadlock, true, 2},
		{"pass leak", Pass, Leak, false, 2},
		{"pass deadlock/silent", LostWakeup, Deadlock, true, 2}, // whatever has fired
		{"pass/silent", Pass, NeverReached, false, 5},
	} {
		sc := scripted("may", c.expect, c.script)
		sc.Plan, sc.May = drop, []Verdict{Deadlock, Panicked}
		report, err := Run(t.Context(), []Scenario{sc}, Options{Seed: 7, Executions: 5, Out: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		s := report.Scenarios[0]
		if s.Verdict != c.verdict || s.AsExpected != c.asExpected || s.Executions != c.executions || (s.Recording != "") != (s.Conviction != nil && !c.asExpected) {
			t.Errorf("%s: %+v", c.script, s)
		}
	}
}

// TestSubjectHasTheStrategy: what a scenario names is what its pools run. All are posted to at
// rest only, when no strategy loses a job.
func TestSubjectHasTheStrategy(t *testing.T) {
	rounds := 0
	for _, v := range sleep.Variants() {
		for _, r := range []*int{nil, &rounds} {
			x := &execution{scenario: &Scenario{Pool: PoolSpec{Sleep: v.Name, Rounds: r}}}
			p := x.newPool(2)
			jobs := x.jobs.open("poster", 1)
			x.rest(p)
			if c := p.Counters(); c.Sleeping != 2 || c.Inactive != 2 {
				t.Errorf("%s at rest: %+v", v.Name, c)
			}
			if err := p.Go(func(*pool.Worker) { jobs[0].ran() }); err != nil {
				t.Error(err)
			}
			x.rest(p)
			if moved := p.Counters().JEC != 0; moved != strings.HasPrefix(v.Name, "jec") {
				t.Errorf("%s after a post: %+v", v.Name, p.Counters())
			}
			x.close(p)
			if found := x.findings(); len(found) > 0 {
				t.Errorf("%s: %v", v.Name, found)
			}
		}
	}
}
