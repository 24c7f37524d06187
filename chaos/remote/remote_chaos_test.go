//go:build chaos

package remote

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/native"
	"github.com/rouse-go/rouse/hooks"
)

var (
	step   = hooks.Declare("remote/step", "for these tests", hooks.Disturbs)
	notify = hooks.Declare("remote/notify", "for these tests", hooks.Disturbs|hooks.Drops)
)

// A virtualClock advances only by a call.
type virtualClock struct {
	mu     sync.Mutex
	now    time.Time
	timers []*virtualTimer
}

type virtualTimer struct {
	at      time.Time
	call    func()
	stopped bool
}

func newClock() *virtualClock {
	return &virtualClock{now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
}

func (c *virtualClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *virtualClock) AfterFunc(d time.Duration, f func()) func() {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := &virtualTimer{at: c.now.Add(d), call: f}
	c.timers = append(c.timers, t)
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		t.stopped = true
	}
}

// advance lets time pass, and calls what is due, in order.
func (c *virtualClock) advance(d time.Duration) {
	c.mu.Lock()
	c.now = c.now.Add(d)
	for {
		i := slices.IndexFunc(c.timers, func(t *virtualTimer) bool { return !t.at.After(c.now) })
		if i < 0 {
			break
		}
		t := c.timers[i]
		c.timers = slices.Delete(c.timers, i, i+1)
		if !t.stopped {
			c.mu.Unlock()
			t.call()
			c.mu.Lock()
		}
	}
	c.mu.Unlock()
}

// pending counts the timers that are not stopped.
func (c *virtualClock) pending() (n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, t := range c.timers {
		if !t.stopped {
			n++
		}
	}
	return n
}

// faults returns one that is disarmed after the test.
func faults(t *testing.T, options ...Option) *Faults {
	f := New(options...)
	t.Cleanup(func() { f.Disarm() })
	return f
}

func mustArm(t *testing.T, f *Faults, text string) {
	t.Helper()
	if err := f.Arm("p", text, false); err != nil {
		t.Fatal(err)
	}
}

func TestNothingIsArmedByItself(t *testing.T) {
	f := faults(t)
	if code, v := ask(t, f, http.MethodGet, "/status", ""); code != http.StatusOK || v["armed"] != false || v["chaos"] != true {
		t.Errorf("%d %v", code, v)
	}
	if err := f.ArmEnv(); err != nil || f.Status().Armed {
		t.Errorf("without $%s: %v, %+v", planEnv, err, f.Status())
	}
	e, err := native.Arm(chaos.Plan{}) // nothing prevents it
	if err != nil {
		t.Fatal(err)
	}
	e.Disarm()
}

func TestArmAndDisarmByHTTP(t *testing.T) {
	f := faults(t, withClock(newClock()))
	code, v := ask(t, f, http.MethodPost, "/arm", "seed: 7\nplan:\n- {at: remote/notify, fault: drop, count: 2}\n- {at: remote/step, fault: yield, ttl: 90s}\n")
	if code != http.StatusOK || v["armed"] != true || v["seed"] != "0x7" {
		t.Fatalf("%d %v", code, v)
	}
	var got []int
	for range 3 {
		got = append(got, hooks.Notify(notify))
	}
	hooks.At(step)
	if !slices.Equal(got, []int{0, 0, 1}) {
		t.Errorf("Notify: %v", got)
	}
	s := f.Status()
	if want := []FaultStatus{
		{Fault: "{at: remote/notify, fault: drop, count: 2}", Armed: true, Left: "5m0s", Hits: 2, Fires: 2},
		{Fault: "{at: remote/step, fault: yield}", Armed: true, Left: "1m30s", Hits: 1, Fires: 1},
	}; !slices.Equal(s.Faults, want) {
		t.Errorf("faults %+v", s.Faults)
	}
	if want := []PointStatus{{"remote/notify", 3}, {"remote/step", 1}}; !slices.Equal(s.Points, want) {
		t.Errorf("points %+v", s.Points)
	}

	// One at a time.
	const other = "{at: remote/step, fault: yield}"
	if code, v := ask(t, f, http.MethodPost, "/arm", other); code != http.StatusConflict {
		t.Errorf("a second plan: %d %v", code, v)
	}
	if code, v := ask(t, f, http.MethodPost, "/arm?replace=true", other); code != http.StatusOK || len(v["faults"].([]any)) != 1 {
		t.Errorf("in its place: %d %v", code, v)
	}
	if n := hooks.Notify(notify); n != 1 {
		t.Errorf("Notify = %d: the first plan is still armed", n)
	}
	for _, was := range []bool{true, false} { // twice is as good as once
		if code, v := ask(t, f, http.MethodPost, "/disarm", ""); code != http.StatusOK || v["armed"] != false || v["ended"] != "disarmed" {
			t.Errorf("%t: %d %v", was, code, v)
		}
	}
	hooks.At(step)
	if s := f.Status(); s.Faults[0].Hits != 0 || s.Faults[0].Armed || s.Faults[0].Left != "" {
		t.Errorf("after disarm: %+v", s)
	}
}

func TestBadRequests(t *testing.T) {
	f := faults(t, WithTTL(time.Second, time.Minute))
	form := func(kind string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set("Content-Type", kind) }
	}
	none := func(*http.Request) {}
	const good = "{at: remote/step, fault: yield}"
	for _, c := range []struct {
		method, path, body string
		change             func(*http.Request)
		code               int
		want               string
	}{
		{"GET", "/arm", "", none, 405, "/arm: found GET, want POST"},
		{"GET", "/disarm", "", none, 405, "/disarm: found GET, want POST"},
		{"POST", "/status", "", none, 405, "/status: found POST, want GET"},
		{"PUT", "/arm", good, none, 405, "/arm: found PUT, want POST"},
		{"GET", "/stats", "", none, 404, `unknown path "/stats"; did you mean "/status"?`},
		{"POST", "/arm", good, form("text/plain"), 415, `the content type is "text/plain", want application/x-chaos-plan`},
		{"POST", "/arm", good, form("application/x-www-form-urlencoded"), 415, ""},
		{"POST", "/arm", good, form("multipart/form-data; boundary=x"), 415, ""},
		{"POST", "/arm", good, form(""), 415, ""},
		{"POST", "/disarm", "", form("text/plain"), 415, ""},
		{"POST", "/arm", "{at: remote/stp, fault: yield}", none, 400, `plan:1:6: at: found "remote/stp", want a declared point, perhaps "remote/step"`},
		{"POST", "/arm", "", none, 400, "plan:1:1: found no fault, want at least one, such as {at: package/what, fault: delay, for: 1ms}"},
		{"POST", "/arm", "{at: remote/step, fault: yield, ttl: 61s}", none, 400, `plan:1:38: ttl: found "61s", want a duration such as 30s, above 0 and at most 1m0s`},
		{"POST", "/arm", "{at: remote/step, fault: yield, ttl: 0s}", none, 400, `plan:1:38: ttl: found "0s", want a duration such as 30s, above 0 and at most 1m0s`},
		{"POST", "/arm", "{at: remote/step, fault: yield, tll: 1s}", none, 400, `plan:1:33: unknown key "tll" in a fault; did you mean "ttl"?`},
		{"POST", "/arm?replace=yes", good, none, 400, `replace: found "yes", want true`},
		{"POST", "/arm", strings.Repeat("#", maxPlan+1), none, 400, ""},
	} {
		code, v := ask(t, f, c.method, c.path, c.body, c.change)
		if code != c.code || c.want != "" && v["error"] != c.want || v["kind"] != "chaos-error" {
			t.Errorf("%s %s %.40q: %d %v, want %d %s", c.method, c.path, c.body, code, v, c.code, c.want)
		}
		if f.Status().Armed {
			t.Fatalf("%s %s %.40q: it is armed", c.method, c.path, c.body)
		}
	}
}

func TestPoints(t *testing.T) {
	_, v := ask(t, faults(t), http.MethodGet, "/points", "")
	for _, p := range v["points"].([]any) {
		if p := p.(map[string]any); p["point"] == "remote/notify" {
			if offers := p["offers"].([]any); !slices.Contains(offers, any("drop")) || p["window"] != "for these tests" {
				t.Errorf("%v", p)
			}
			return
		}
	}
	t.Errorf("remote/notify is not listed: %v", v)
}

// TestTimeToLive: each fault dies by itself, the last takes the engine with it, and the
// counts stay.
func TestTimeToLive(t *testing.T) {
	clock := newClock()
	f := faults(t, withClock(clock), WithTTL(time.Minute, time.Hour))
	mustArm(t, f, "[{at: remote/notify, fault: drop}, {at: remote/step, fault: yield, ttl: 2m}]")
	clock.advance(time.Minute - 1)
	if n := hooks.Notify(notify); n != 0 {
		t.Errorf("Notify = %d before the time is over", n)
	}
	clock.advance(1)
	if n := hooks.Notify(notify); n != 1 {
		t.Errorf("Notify = %d after its time", n)
	}
	s := f.Status()
	if !s.Armed || s.Faults[0].Armed || !s.Faults[1].Armed || s.Faults[1].Left != "1m0s" {
		t.Errorf("after a minute: %+v", s)
	}
	hooks.At(step)
	clock.advance(time.Minute)
	s = f.Status()
	if s.Armed || s.Ended != "expired" || s.Faults[0].Fires != 1 || s.Faults[1].Fires != 1 {
		t.Errorf("after two: %+v", s)
	}
	if clock.pending() != 0 {
		t.Error("a timer is left")
	}
	// What is armed next is not struck by the past.
	mustArm(t, f, "{at: remote/notify, fault: drop}")
	f.Disarm()
	mustArm(t, f, "{at: remote/notify, fault: drop}")
	if clock.pending() != 1 {
		t.Errorf("%d timers", clock.pending())
	}
	clock.advance(time.Minute)
	if f.Status().Armed {
		t.Error("it outlives its time")
	}
}

// TestDisarmLetsGo: so does the end of a fault's time, while the others stay.
func TestDisarmLetsGo(t *testing.T) {
	for _, fault := range []chaos.Fault{
		{At: "remote/step", Kind: hooks.Holds, Until: "remote/notify", Max: time.Hour},
		{At: "remote/step", Kind: hooks.Delays, Min: time.Hour, Max: time.Hour},
	} {
		for _, end := range []func(*Faults, *virtualClock){
			func(f *Faults, _ *virtualClock) { f.Disarm() },
			func(_ *Faults, c *virtualClock) { c.advance(time.Second) },
			func(f *Faults, _ *virtualClock) {
				if err := f.Arm("p", "{at: remote/notify, fault: drop}", true); err != nil {
					t.Error(err)
				}
			},
		} {
			clock := newClock()
			f := faults(t, withClock(clock))
			both := chaos.Plan{Faults: []chaos.Fault{fault, {At: "remote/notify", Kind: hooks.Drops}}}
			if err := f.arm(both, map[int]time.Duration{0: time.Second}, false); err != nil {
				t.Fatal(err)
			}
			const all = 4
			var held sync.WaitGroup
			for range all {
				held.Go(func() { hooks.At(step) })
			}
			for f.Status().Injecting < all {
				time.Sleep(time.Millisecond)
			}
			end(f, clock)
			held.Wait() // or the test does not end
			f.Disarm()
		}
	}
}

func TestSomebodyElseHasArmed(t *testing.T) {
	e, err := native.Arm(chaos.Plan{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Disarm()
	f := faults(t)
	if code, v := ask(t, f, http.MethodPost, "/arm", "{at: remote/step, fault: yield}"); code != http.StatusConflict || f.Status().Armed {
		t.Errorf("%d %v", code, v)
	}
}

func TestEnv(t *testing.T) {
	t.Setenv(tokenEnv, strings.Repeat("x", minToken)) // or one is logged
	dir := t.TempDir()
	good, bad := filepath.Join(dir, "good"), filepath.Join(dir, "bad")
	for path, text := range map[string]string{good: "- {at: remote/notify, fault: drop}\n", bad: "- {at: remote/notify, fault: dorp}\n"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		value string
		code  int
		want  string
	}{
		{"{at: remote/notify, fault: drop}", 0, ""},
		{`[{"at":"remote/notify","fault":"drop"}]`, 0, ""},
		{"at: remote/notify, fault: drop", 2, "chaos: $CHAOS_PLAN:1:5: not YAML: mapping value is not allowed in this context; a fault on one line needs braces: {at: package/what, fault: yield}"},
		{good, 0, ""},
		{"{at: remote/notify, fault: dorp}", 2, `chaos: $CHAOS_PLAN:1:28: unknown fault "dorp"; did you mean "drop"?`},
		{bad, 2, "chaos: $CHAOS_PLAN: " + bad + `:1:30: unknown fault "dorp"; did you mean "drop"?`},
		{"nowhere", 2, "chaos: $CHAOS_PLAN: found neither a plan such as {at: package/what, fault: yield} nor a file that can be read: open nowhere: no such file or directory"},
		{dir, 2, ""},
	} {
		t.Setenv(planEnv, c.value)
		f := faults(t)
		var errs strings.Builder
		code := f.enable(&errs)
		if code != c.code || c.want != "" && errs.String() != c.want+"\n" || strings.Count(errs.String(), "\n") != min(c.code, 1) {
			t.Errorf("%s: exit code %d, %swant %d, %s", c.value, code, &errs, c.code, c.want)
		}
		if f.Status().Armed != (c.code == 0) {
			t.Errorf("%s: %+v", c.value, f.Status())
		}
		f.Disarm()
	}
}

// TestManyAtOnce is for the race detector: requests, hooks and time, all at once.
func TestManyAtOnce(t *testing.T) {
	clock := newClock()
	f := faults(t, withClock(clock))
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			for n := range 50 {
				switch (n + i) % 4 {
				case 0:
					err := f.Arm("p", "[{at: remote/notify, fault: drop, ttl: 1s}, {at: remote/step, fault: yield, ttl: 3s}]", n%2 == 0)
					if err != nil && !errors.Is(err, ErrArmed) {
						t.Error(err)
					}
				case 1:
					f.Status()
				case 2:
					clock.advance(time.Second)
				case 3:
					if i == 0 {
						f.Disarm()
					}
				}
			}
		})
		all.Go(func() {
			for range 500 {
				hooks.At(step)
				hooks.Notify(notify)
			}
		})
	}
	all.Wait()
	f.Disarm()
	if n := hooks.Notify(notify); n != 1 || clock.pending() != 0 {
		t.Errorf("Notify = %d, %d timers", n, clock.pending())
	}
}

// withClock replaces the real time.
func withClock(c clock) Option { return func(f *Faults) { f.clock = c } }

func TestNilOptionsAreIgnored(t *testing.T) {
	f := faults(t, nil, WithTTL(time.Second, time.Minute), nil)
	if f.defaultTTL != time.Second || f.maxTTL != time.Minute {
		t.Errorf("default %v, at most %v", f.defaultTTL, f.maxTTL)
	}
}
