package peers

import "context"

// A Row is one comparison: its contestants are measured together, in turns.
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
	// Missing says why the contestant cannot take part here, and how to fix that.
	Missing string
	// Turn does the work once and returns figures: at least that of the row's first metric. It warms
	// itself up, and checks its results: a wrong result is an error, and
	// takes the contestant out of the row.
	Turn func(ctx context.Context) (Figures, error)
}

// Figures holds the measurements of a turn, by metric. Metrics are units, as in
// benchmarks: "ns/join". Metrics that begin with "ns" are printed as times.
type Figures map[string]float64

// A Result holds the measurements of a row.
type Result struct {
	Row  Row
	Took []Taken // one for each contestant
	// Others is the share of the machine that other programs have taken meanwhile, from 0 to 1; -1
	// if that is not known.
	Others float64
}

// Taken holds the measurements of one contestant.
type Taken struct {
	Contestant string
	// Out says why there are no figures: the contestant is missing, or a turn of it failed.
	Out string
	// Failed says that a turn of it failed.
	Failed bool
	Rounds []Figures
}

// of returns the measurements of the named contestant, or nil.
func (r *Result) of(name string) *Taken {
	for i := range r.Took {
		if r.Took[i].Contestant == name {
			return &r.Took[i]
		}
	}
	return nil
}
