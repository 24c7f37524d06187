package remote

import "time"

// What a Faults has that is not told otherwise.
const (
	DefaultTTL = 5 * time.Minute
	MaxTTL     = time.Hour
)

// An Option is for New or Enable. A nil Option is ignored.
type Option func(*Faults)

// WithTTL sets how long a fault lives that does not say, and how long one may at most.
// It panics unless 0 < def <= most.
func WithTTL(def, most time.Duration) Option {
	if def <= 0 || def > most {
		panic("remote: WithTTL wants 0 < default <= most")
	}
	return func(f *Faults) { f.defaultTTL, f.maxTTL = def, most }
}

// WithRemote lets requests in that come from any address, and that name one of the hosts
// (a name or an address without a port) as theirs; Listen then binds any address. Anybody
// who reaches the service can then read its status; to change anything takes the token.
func WithRemote(hosts ...string) Option {
	return func(f *Faults) { f.remote, f.hosts = true, append(f.hosts, hosts...) }
}

// WithToken sets the token that a request needs which changes anything, instead of
// $CHAOS_TOKEN. It panics unless the token has 16 characters or more, all visible ASCII.
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
