package peers

import "context"

// A Row is one comparison: what is measured in one go, in turns.
type Row struct {
	Name        string // for --only, and benchstat: no spaces
	About       string // one sentence for people, ended by a full stop
	Metrics     []string
	Contestants []Contestant
	Bounds      []Bound
}

// A Contestant takes part in a row.
type Contestant struct {
	Name string
	// Missing says why it cannot take part here, and what to do about it.
	Missing string
	// Turn does the work once and returns figures: that of the row's first metric at least. It warms
	// itself up, and checks what it has computed: a wrong result is an error, and
	// takes the contestant out of the row.
	Turn func(ctx context.Context) (Figures, error)
}

// Figures are what a turn has measured, by metric. Metrics are units, as in
// benchmarks: "ns/join". Those that begin with "ns" are printed as times.
type Figures map[string]float64

// A Result is what came of a row.
type Result struct {
	Row  Row
	Took []Taken // one for each contestant
	// Others is the share of the machine that other programs have taken meanwhile, from 0 to 1; -1
	// if that is not known.
	Others float64
}

// Taken is what came of one contestant.
type Taken struct {
	Contestant string
	// Out says why there are no figures: the contestant is missing, or a turn of it failed.
	Out string
	// Failed says that a turn of it failed.
	Failed bool
	Rounds []Figures
}

// of returns what came of a contestant; nil if there is none of that name.
func (r *Result) of(name string) *Taken {
	for i := range r.Took {
		if r.Took[i].Contestant == name {
			return &r.Took[i]
		}
	}
	return nil
}
