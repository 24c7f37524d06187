package stress

import (
	"math"
	"slices"
	"time"

	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/rouse-go/rouse/internal/yamltree"
)

// What a scenario may ask of a workload. More than that says nothing about the
// subject: it fills the memory, overflows the stack, or is not done in time, and
// the subject would be convicted of it.
var mostSizes = Sizes{Jobs: 100_000, Injectors: 1000, Depth: 64, Leaf: 100_000, Repeat: 1000, Pause: maxPause}

const (
	maxPause     = 10 * time.Second // of each, and of all that follow one another
	maxJobs      = 1 << 17          // of one execution: at worst ten seconds on two cores, with the race detector
	maxJoinDepth = 16               // 2^depth leaves
)

// A cost is what sizes come to in one execution with that many workers. Numbers
// are floating: powers overflow integers.
type cost struct {
	jobs   func(s Sizes, workers float64) float64 // in the ledger, or what takes as long
	pauses func(s Sizes) float64                  // that follow one another, at most
}

// What takes longer than a job, in jobs.
const (
	wakes  = 2 // to wake a worker for one
	starts = 4 // to start a worker and to end it

	attractions = 64 // between two bodies, that take as long as a job
)

// costs are those of the workloads, by name.
var costs = map[string]cost{
	"blocking": {
		jobs:   func(s Sizes, _ float64) float64 { return float64(s.Repeat) * float64(s.Jobs) * (2 + starts) },
		pauses: func(s Sizes) float64 { return float64(s.Repeat) },
	},
	"broadcast": {
		jobs: func(s Sizes, workers float64) float64 {
			return float64(s.Injectors) * float64(s.Jobs) * wakes * workers
		},
		pauses: func(s Sizes) float64 { return float64(s.Jobs) },
	},
	"burst":         bursting,
	"burst-threads": bursting,
	"cancel": {
		jobs: func(s Sizes, _ float64) float64 {
			return float64(s.Injectors) * float64(s.Jobs) * (cancelledJobs + starts)
		},
		pauses: func(s Sizes) float64 { return float64(s.Jobs) },
	},
	"churn": {
		jobs: func(s Sizes, workers float64) float64 {
			return float64(s.Repeat) * (2*float64(s.Jobs) + starts*workers)
		},
		pauses: func(s Sizes) float64 { return 2 * float64(s.Repeat) },
	},
	"crowd": {
		jobs: func(s Sizes, workers float64) float64 {
			return float64(s.Repeat) * (workers + math.Exp2(float64(s.Depth)))
		},
		pauses: func(s Sizes) float64 { return float64(s.Repeat) },
	},
	"increment-all": {
		jobs:   func(s Sizes, _ float64) float64 { return float64(s.Repeat) * leaves(s) },
		pauses: func(s Sizes) float64 { return float64(s.Repeat) },
	},
	"inject": {
		jobs:   func(s Sizes, _ float64) float64 { return float64(s.Injectors) * float64(s.Jobs) },
		pauses: func(s Sizes) float64 { return float64(s.Jobs) },
	},
	"isolated": {
		jobs:   func(s Sizes, _ float64) float64 { return 5 * float64(s.Repeat) },
		pauses: func(s Sizes) float64 { return float64(s.Repeat) },
	},
	"join": {
		jobs:   func(s Sizes, _ float64) float64 { return float64(s.Repeat) * math.Exp2(float64(s.Depth)) },
		pauses: func(s Sizes) float64 { return float64(s.Repeat) },
	},
	"leavers": {
		jobs:   func(s Sizes, _ float64) float64 { return 2 * float64(s.Repeat) },
		pauses: func(s Sizes) float64 { return 4 * float64(s.Repeat) },
	},
	"loops": {
		jobs: func(s Sizes, workers float64) float64 {
			return float64(s.Injectors)*float64(s.Repeat)*failingElements(s) + wakes*workers
		},
		pauses: func(s Sizes) float64 { return float64(s.Repeat) },
	},
	"meet": {
		jobs:   func(s Sizes, workers float64) float64 { return float64(s.Repeat) * workers },
		pauses: func(s Sizes) float64 { return float64(s.Repeat) },
	},
	"meet-inside": {
		jobs:   func(s Sizes, workers float64) float64 { return float64(s.Repeat) * workers },
		pauses: func(s Sizes) float64 { return float64(s.Repeat) },
	},
	"mutual": {
		jobs:   func(s Sizes, _ float64) float64 { return float64(s.Injectors) * float64(s.Jobs) * float64(s.Depth) },
		pauses: func(s Sizes) float64 { return float64(s.Jobs) },
	},
	"nbody": {
		jobs: func(s Sizes, _ float64) float64 {
			return float64(s.Repeat) * float64(s.Jobs) * (leaves(s) + float64(s.Jobs)/attractions)
		},
		pauses: func(s Sizes) float64 { return float64(s.Repeat) },
	},
	"panics": {
		jobs: func(s Sizes, workers float64) float64 {
			return float64(s.Injectors)*float64(s.Jobs)*(wakes*workers+starts) + workers // if each is a broadcast
		},
		pauses: func(s Sizes) float64 { return float64(s.Jobs) },
	},
	"programs": {
		jobs: func(s Sizes, workers float64) float64 {
			return float64(s.Repeat) * (wakes + 2) * workers * float64(s.Jobs) // if each is a broadcast in both pools
		},
		pauses: func(s Sizes) float64 { return float64(s.Repeat) },
	},
	"scopes": {
		jobs:   func(s Sizes, _ float64) float64 { return float64(s.Repeat) * scopeJobs(s) },
		pauses: func(s Sizes) float64 { return float64(s.Repeat) },
	},
	"storm": {
		jobs:   func(s Sizes, _ float64) float64 { return float64(s.Injectors) * float64(s.Jobs) },
		pauses: func(Sizes) float64 { return 0 },
	},
	"story": {
		jobs:   func(s Sizes, _ float64) float64 { return 4 * float64(s.Repeat) },
		pauses: func(s Sizes) float64 { return float64(s.Repeat) },
	},
	"trickle": {
		jobs:   func(s Sizes, _ float64) float64 { return float64(s.Jobs) },
		pauses: func(s Sizes) float64 { return float64(s.Jobs) },
	},
	"wakeups": {
		jobs:   func(s Sizes, _ float64) float64 { return float64(s.Jobs) },
		pauses: func(s Sizes) float64 { return float64(s.Jobs) },
	},
}

// bursting is that of bursts: each message may wake its receiver, and each wait be given up.
var bursting = cost{
	jobs: func(s Sizes, workers float64) float64 {
		return (float64(s.Injectors)*float64(s.Jobs) + workers) * (wakes + starts)
	},
	pauses: func(s Sizes) float64 { return float64(s.Jobs) },
}

// leaves are those of a loop over that many elements, at worst.
func leaves(s Sizes) float64 {
	return 2 * math.Ceil(float64(s.Jobs)/float64(s.Leaf)) // halves may be a little too long, and be halved
}

// failingElements are those of loops in loops, at worst, with what it takes that some fail.
func failingElements(s Sizes) (jobs float64) {
	loops, elements := 2.0, float64(s.Jobs)
	for range s.Depth {
		jobs += loops * (elements + mostOfEach*starts)
		loops *= 2 * mostOfEach
		elements = max(1, elements/4)
	}
	return jobs
}

// scopeJobs counts the jobs of nested scopes: each scope has its own and one that
// nobody waits for.
func scopeJobs(s Sizes) (jobs float64) {
	scopes := 1.0
	for range s.Depth {
		jobs += scopes * float64(s.Jobs+1)
		scopes *= float64(s.Jobs)
	}
	return jobs
}

func (l *loader) sizes(n yamltree.Node) (s Sizes, f *yamltree.Fields) {
	count := func(key string, to *int, most int) fieldReader {
		return fieldReader{key, func(n yamltree.Node) { *to = int(l.Number(n, key, 1, int64(most))) }}
	}
	reads := []fieldReader{
		count("jobs", &s.Jobs, mostSizes.Jobs),
		count("injectors", &s.Injectors, mostSizes.Injectors),
		count("depth", &s.Depth, mostSizes.Depth),
		count("leaf", &s.Leaf, mostSizes.Leaf),
		count("repeat", &s.Repeat, mostSizes.Repeat),
		{"pause", func(n yamltree.Node) {
			switch s.Pause = l.Duration(n, "pause"); {
			case s.Pause == 0:
				l.Fail(n, "pause: found 0, want a duration above 0; without the key it is the workload's own")
			case s.Pause > mostSizes.Pause:
				l.Fail(n, "pause: found %s, want at most %s: a longer one looks like a hang", s.Pause, mostSizes.Pause)
			}
		}},
	}
	f = l.fields(n, "sizes", reads)
	l.each(f, reads)
	return s, f
}

// checkSizes refuses sizes that the workload would ignore, and those that are too
// much for it.
func (l *loader) checkSizes(sc *Scenario, f *yamltree.Fields, sizes *yamltree.Fields) {
	w, ok := l.cat.workload(sc.Workload)
	if !ok || l.Err != nil {
		return
	}
	at := f.Value("workload") // with too many workers its own sizes are too much
	if sizes != nil {
		at = sizes.Node()
		for _, key := range sizeKeys {
			if sizes.Has(key) && !slices.Contains(w.Uses, key) {
				l.Fail(sizes.At(key), "sizes: the workload %s does not use %q; it uses %s", w.Name, key, orNothing(nearest.Enumerate(w.Uses)))
			}
		}
		for _, key := range sizeKeys {
			most := w.mostSizes()
			if n, most := sc.Sizes.count(key), most.count(key); n > most {
				l.Fail(sizes.Value(key), "%s: found %d, want at most %d: the workload %s %s", key, n, most, w.Name, w.boundWhy)
			}
		}
	}
	c, s := costs[w.Name], w.sizes(sc)
	if _, threadBits := sc.Pool.Widths(); w.spares != nil {
		if counted, need := int64(1)<<threadBits-1, int64(slices.Max(sc.Pool.Workers)+w.spares(s)); need > counted {
			l.Fail(f.Value("pool"), "pool: found %d thread-bits, which count no further than %d, want %d: the workload %s may need %s beside the workers",
				threadBits, counted, need, w.Name, plural(w.spares(s), "spare"))
		}
	}
	if c.jobs(s, float64(slices.Max(sc.Pool.Workers))) > maxJobs {
		l.Fail(at, "sizes: the workload %s comes to more than %d jobs in an execution, want at most so many", w.Name, maxJobs)
	}
	if c.pauses(s)*float64(s.Pause) > float64(maxPause) {
		l.Fail(at, "sizes: the pauses of the workload %s come to more than %s in an execution, want at most that", w.Name, maxPause)
	}
}

func orNothing(s string) string {
	if s == "" {
		return "nothing"
	}
	return s
}
