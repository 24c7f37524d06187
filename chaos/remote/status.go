package remote

import (
	"fmt"
	"time"

	"github.com/rouse-go/rouse/chaos/plan"
	"github.com/rouse-go/rouse/hooks"
)

// schema is the version of the handler's answers.
const schema = 1

// A Status describes the plan that is armed, or was last, and its effects so far.
type Status struct {
	Schema int    `json:"schema"`
	Kind   string `json:"kind"`  // "chaos-status"
	Chaos  bool   `json:"chaos"` // the binary has hook points
	Armed  bool   `json:"armed"`
	// Ended says why a plan that was armed is not: disarmed, expired or replaced.
	Ended string `json:"ended,omitempty"`
	Since string `json:"since,omitempty"` // RFC 3339
	Seed  string `json:"seed,omitempty"`  // hexadecimal, as JavaScript has no number for it
	// Injecting counts the goroutines that are inside a delay or held now.
	Injecting int           `json:"injecting"`
	Faults    []FaultStatus `json:"faults,omitempty"` // in the order of the plan
	Points    []PointStatus `json:"points,omitempty"` // that were visited while it was armed, by name
}

// A FaultStatus counts the hits and effects of a fault: see native.FaultCount.
type FaultStatus struct {
	Fault   string `json:"fault"` // as plan.Parse takes it
	Armed   bool   `json:"armed"`
	Left    string `json:"left,omitempty"` // of its time to live
	Hits    uint64 `json:"hits"`
	Fires   uint64 `json:"fires"`
	Expired uint64 `json:"expired"` // holds that ended by their limit
}

// A PointStatus counts the visits of a hook point.
type PointStatus struct {
	Point string `json:"point"`
	Hits  uint64 `json:"hits"`
}

// A pointInfo is a hook point of the binary.
type pointInfo struct {
	Point  string   `json:"point"`
	Window string   `json:"window"` // what is pending at the point
	Offers []string `json:"offers"` // faults
}

// Status returns the status of f.
func (f *Faults) Status() Status {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := Status{Schema: schema, Kind: "chaos-status", Chaos: hooks.Enabled, Armed: f.isArmed()}
	a := f.last
	if a == nil {
		return s
	}
	s.Ended, s.Since = a.ended, a.since.UTC().Format(time.RFC3339Nano)
	s.Seed, s.Injecting = fmt.Sprintf("%#x", a.plan.Seed), a.engine.Injecting()
	counts := a.engine.Counts()
	now := f.clock.Now()
	for i, line := range a.plan.Faults {
		c := counts.Faults[i]
		one := FaultStatus{Fault: line.String(), Armed: s.Armed && !a.dead[i], Hits: c.Hits, Fires: c.Fires, Expired: c.Expired}
		if one.Armed {
			one.Left = max(a.dies[i].Sub(now), 0).String()
		}
		s.Faults = append(s.Faults, one)
	}
	for _, p := range counts.Points {
		s.Points = append(s.Points, PointStatus{p.Point, p.Hits})
	}
	return s
}

// points lists the hook points of this binary, by name. Without the tag there are none.
func points() []pointInfo {
	all := []pointInfo{}
	for _, p := range plan.Points() {
		info := pointInfo{Point: p.Name, Window: p.Window}
		for _, k := range p.Offers.Kinds() {
			info.Offers = append(info.Offers, k.String())
		}
		all = append(all, info)
	}
	return all
}
