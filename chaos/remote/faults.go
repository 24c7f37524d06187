package remote

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/rouse-go/rouse/chaos/native"
	"github.com/rouse-go/rouse/chaos/plan"
	"github.com/rouse-go/rouse/hooks"
)

// ErrArmed is returned by Arm while a plan is armed.
var ErrArmed = errors.New("a plan is armed; disarm it first, or replace it")

// A Faults arms one plan at a time in this process, and disarms it. It is an http.Handler.
// New makes one; its methods may be called from any goroutine.
type Faults struct {
	defaultTTL, maxTTL time.Duration
	clock              clock
	remote             bool
	hosts              []string
	token              string
	drawn              bool  // New has drawn the token
	badToken           error // of $CHAOS_TOKEN; HTTP can then change nothing

	mu   sync.Mutex
	last *armed // nil if no plan was ever armed
}

// New returns a Faults that has armed nothing.
func New(options ...Option) *Faults {
	f := &Faults{defaultTTL: DefaultTTL, maxTTL: MaxTTL, clock: realClock{}}
	for _, o := range options {
		if o != nil {
			o(f)
		}
	}
	f.chooseToken()
	return f
}

// armed is a plan that is or was armed.
type armed struct {
	plan   plan.Plan
	engine *native.Engine
	since  time.Time
	dies   []time.Time // by fault; when it stops firing
	dead   []bool      // by fault
	ended  string      // why the plan is no longer armed; "" if it is
	stop   func()      // the timer
	done   chan struct{}
}

// Arm arms the plan in the text, in the form of plan.Parse, with a ttl for each fault if it has
// that key; the name is for messages. With replace, it replaces the plan that is armed.
//
// It returns native.ErrNotChaos in a binary without hook points, a *plan.SyntaxError, ErrArmed, or
// native.ErrArmed if another engine is armed; nothing has changed then, except that with replace
// and native.ErrArmed the plan before is disarmed.
func (f *Faults) Arm(name, text string, replace bool) error {
	if !hooks.Enabled {
		return native.ErrNotChaos
	}
	ttls := map[int]time.Duration{}
	p, err := plan.Parse(name, text, plan.Word{Key: "ttl", Set: func(fault int, value string) error {
		d, err := time.ParseDuration(value)
		if err != nil || d <= 0 || d > f.maxTTL {
			return fmt.Errorf("found %q, want a duration such as 30s, above 0 and at most %v", clip(value), f.maxTTL)
		}
		ttls[fault] = d
		return nil
	}})
	if err != nil {
		return err
	}
	return f.arm(p, ttls, replace)
}

// arm arms a plan. ttls are by fault; the others have the default.
func (f *Faults) arm(p plan.Plan, ttls map[int]time.Duration, replace bool) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.isArmed() {
		if !replace {
			return ErrArmed
		}
		f.disarm("replaced")
	}
	a := &armed{plan: p, dead: make([]bool, len(p.Faults)), done: make(chan struct{})}
	if err := a.arm(); err != nil {
		return err
	}
	a.since = f.clock.Now()
	for i := range p.Faults {
		ttl, ok := ttls[i]
		if !ok {
			ttl = f.defaultTTL
		}
		a.dies = append(a.dies, a.since.Add(ttl))
	}
	f.last = a
	f.schedule(a)
	return nil
}

// arm arms the engine on a goroutine of its own: the goroutine that calls native.Arm must not end
// before the engine is disarmed, and a handler's does.
func (a *armed) arm() error {
	err := make(chan error)
	go func() {
		var e error
		a.engine, e = native.Arm(a.plan)
		err <- e
		if e == nil {
			<-a.done
		}
	}()
	return <-err
}

// isArmed reports whether a plan is armed. Under f.mu.
func (f *Faults) isArmed() bool { return f.last != nil && f.last.ended == "" }

// schedule sets the timer for the next fault of the plan that expires. Under f.mu.
func (f *Faults) schedule(a *armed) {
	var next time.Time
	for i, dies := range a.dies {
		if !a.dead[i] && (next.IsZero() || dies.Before(next)) {
			next = dies
		}
	}
	a.stop = f.clock.AfterFunc(max(next.Sub(f.clock.Now()), 1), func() { f.expire(a) })
}

// expire stops the faults whose time is over, and disarms the plan with the last.
func (f *Faults) expire(a *armed) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if a.ended != "" {
		return
	}
	now, left := f.clock.Now(), 0
	for i, dies := range a.dies {
		switch {
		case a.dead[i]:
		case dies.After(now):
			left++
		default:
			a.engine.Stop(i)
			a.dead[i] = true
		}
	}
	if left == 0 {
		f.disarm("expired")
		return
	}
	f.schedule(a)
}

// Disarm disarms the plan: hook points do nothing again, and goroutines that are delayed or held
// continue within 20 ms. It reports whether a plan was armed. It does not block.
func (f *Faults) Disarm() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	was := f.isArmed()
	if was {
		f.disarm("disarmed")
	}
	return was
}

// disarm disarms the plan that is armed. Under f.mu.
func (f *Faults) disarm(why string) {
	a := f.last
	a.engine.Disarm()
	a.ended = why
	a.stop()
	close(a.done)
}

// Defaults of WithTTL.
const (
	DefaultTTL = 5 * time.Minute
	MaxTTL     = time.Hour
)

// An Option is for New or Enable. A nil Option is ignored.
type Option func(*Faults)

// WithTTL sets the default and the longest time to live of a fault. It panics unless
// 0 < def <= most.
func WithTTL(def, most time.Duration) Option {
	if def <= 0 || def > most {
		panic("remote: WithTTL wants 0 < default <= most")
	}
	return func(f *Faults) { f.defaultTTL, f.maxTTL = def, most }
}

// WithRemote allows requests from any address that name one of the hosts (a name or an address
// without a port), and lets Listen bind any address. Clients that reach the service can then read
// its status; a change needs the token.
func WithRemote(hosts ...string) Option {
	return func(f *Faults) { f.remote, f.hosts = true, append(f.hosts, hosts...) }
}

// WithToken sets the token for requests that change something, instead of $CHAOS_TOKEN. It panics
// unless the token has 16 characters or more, all visible ASCII.
func WithToken(token string) Option {
	if err := checkToken(token); err != nil {
		panic("remote: WithToken: " + err.Error())
	}
	return func(f *Faults) { f.token = token }
}

// A clock is the real time, or that of a test.
type clock interface {
	Now() time.Time
	// AfterFunc calls f on a goroutine of its own once d has passed, unless stop was
	// called before. It must not call f at once.
	AfterFunc(d time.Duration, f func()) (stop func())
}

type realClock struct{}

func (realClock) Now() time.Time { return time.Now() }
func (realClock) AfterFunc(d time.Duration, f func()) (stop func()) {
	t := time.AfterFunc(d, f)
	return func() { t.Stop() }
}
