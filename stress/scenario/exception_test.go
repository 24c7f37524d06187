package scenario

import (
	"reflect"
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/hooks"
)

const exceptional = `version: 1
absent:
  - variant: [tickle, tickle-swap]
    points: [test/notify, test/count]
    why: Not there.
  - {variant: rfc5, points: test/count, why: No counter.}
scenarios:
  - name: passes
    about: b
    pool: {workers: [1]}
    workload: inject
    plan: &both [{at: test/passed, fault: yield}, {at: test/notify, fault: drop}]
    expect: pass
    except: &may [{variant: rfc5, may: lost-wakeup, why: Perhaps.}]
  - name: fails
    about: b
    pool: {workers: [1]}
    workload: inject
    plan: *both
    expect: lost-wakeup
    why: Always.
    except: [{variant: [jec-two-idle, tickle-swap], expect: deadlock, may: [leak, panic], why: Two.}]
  - name: own
    about: b
    pool: {workers: [1], variant: rfc5}
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
		if got.Variant != c.sleep || !reflect.DeepEqual(got.Plan, c.plan) || got.Expected() != c.expect || got.Why != c.why || got.Except != nil {
			t.Errorf("%s with %s: %+v", scenarios[c.number].Name, c.with, got)
		}
		if again, err := load("f.yaml", Encode([]Scenario{got}), testCatalogue()); err != nil || !reflect.DeepEqual(again[0], got) {
			t.Errorf("%s cannot be recorded: %v, %+v\n%s", got.Title(), err, again, Encode([]Scenario{got}))
		}
	}
	var titles []string
	for _, sc := range WithEach(scenarios[1:], []string{"jec", "tickle"}, testSubjects) {
		titles = append(titles, sc.Title())
	}
	if want := []string{"fails with jec", "fails with tickle", "own with rfc5", "other with jec", "other with tickle"}; !reflect.DeepEqual(titles, want) {
		t.Errorf("got %q, want %q", titles, want)
	}
}
