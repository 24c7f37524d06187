package remote

import "time"

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
