package pool

import (
	"math"
	"time"
)

// The largest sizes of a scenario. Larger ones fill the memory, overflow the stack, or take too long, and
// would be reported as failures of the pool.
var mostSizes = sizes{jobs: 100_000, injectors: 1000, depth: 64, leaf: 100_000, repeat: 1000, pause: maxPause}

const (
	maxPause     = 10 * time.Second // of each, and of all that follow one another
	maxJobs      = 1 << 17          // of one execution: at worst ten seconds on two cores, with the race detector
	maxJoinDepth = 16               // 2^depth leaves
)

// A cost computes the work of sizes in one execution with some number of workers. Numbers are floating:
// powers overflow integers.
type cost struct {
	jobs   func(s sizes, workers float64) float64 // in the ledger, or what takes as long
	pauses func(s sizes) float64                  // that follow one another, at most
}

// Costs of operations that take longer than a job, in jobs.
const (
	wakes  = 2 // to wake a worker for one
	starts = 4 // to start a worker and to end it

	mostPosted = 3 // jobs of one post, but for broadcasts

	attractions = 64 // between two bodies, that take as long as a job
)

// costs holds the costs of the workloads, by name.
var costs = map[string]cost{
	"blocking": {
		jobs:   func(s sizes, _ float64) float64 { return float64(s.repeat) * float64(s.jobs) * (2 + starts) },
		pauses: func(s sizes) float64 { return float64(s.repeat) },
	},
	"bounded": {
		jobs: func(s sizes, workers float64) float64 {
			return float64(s.repeat) * (starts*workers + float64(s.injectors)*float64(s.jobs)*mostPosted*starts)
		},
		pauses: func(s sizes) float64 { return float64(s.repeat) },
	},
	"broadcast": {
		jobs: func(s sizes, workers float64) float64 {
			return float64(s.injectors) * float64(s.jobs) * wakes * workers
		},
		pauses: func(s sizes) float64 { return float64(s.jobs) },
	},
	"broadcasts": {
		jobs: func(s sizes, workers float64) float64 {
			return float64(s.injectors) * float64(s.jobs) * 2 * wakes * workers
		},
		pauses: func(s sizes) float64 { return float64(s.jobs) },
	},
	"cancel": {
		jobs: func(s sizes, _ float64) float64 {
			return float64(s.injectors) * float64(s.jobs) * (cancelledJobs + starts)
		},
		pauses: func(s sizes) float64 { return float64(s.jobs) },
	},
	"churn": {
		jobs: func(s sizes, workers float64) float64 {
			return float64(s.repeat) * (2*float64(s.jobs) + starts*workers)
		},
		pauses: func(s sizes) float64 { return 2 * float64(s.repeat) },
	},
	"closing": {
		jobs: func(s sizes, workers float64) float64 {
			return float64(s.repeat) * (starts*workers + float64(s.injectors)*float64(s.jobs)*2*(wakes*workers+mostPosted)) // if each is a broadcast
		},
		pauses: func(s sizes) float64 { return float64(s.repeat) },
	},
	"crossing": {
		jobs: func(s sizes, workers float64) float64 {
			scopes := 0.0
			for open, depth := 1.0, 0; depth < s.depth; depth++ {
				scopes, open = scopes+open, open*float64(s.jobs)
			}
			return float64(s.injectors) * float64(s.repeat) * (scopes*(4*float64(s.jobs)+wakes*workers) + 2*wakes*float64(s.jobs))
		},
		pauses: func(s sizes) float64 { return float64(s.repeat) },
	},
	"crowd": {
		jobs: func(s sizes, workers float64) float64 {
			return float64(s.repeat) * (workers + math.Exp2(float64(s.depth)))
		},
		pauses: func(s sizes) float64 { return float64(s.repeat) },
	},
	"data": {
		jobs:   func(s sizes, _ float64) float64 { return 2 * float64(s.repeat) * (leaves(s) + float64(s.jobs)/2) },
		pauses: func(s sizes) float64 { return float64(s.repeat) },
	},
	"default": {
		jobs: func(s sizes, _ float64) float64 {
			return float64(s.repeat) * float64(s.injectors) * float64(s.jobs)
		},
		pauses: func(s sizes) float64 { return float64(s.repeat) },
	},
	"groups": {
		jobs: func(s sizes, _ float64) float64 { // each may start one, wait for two, and block
			return float64(s.injectors) * float64(s.repeat) * float64(s.jobs) * (4 + starts)
		},
		pauses: func(s sizes) float64 { return float64(s.repeat) },
	},
	"handlers": {
		jobs: func(s sizes, workers float64) float64 {
			return float64(s.repeat) * (starts*workers + float64(s.jobs)*(4+starts))
		},
		pauses: func(s sizes) float64 { return float64(s.repeat) },
	},
	"increment-all": {
		jobs:   func(s sizes, _ float64) float64 { return float64(s.repeat) * leaves(s) },
		pauses: func(s sizes) float64 { return float64(s.repeat) },
	},
	"inject": {
		jobs:   func(s sizes, _ float64) float64 { return float64(s.injectors) * float64(s.jobs) },
		pauses: func(s sizes) float64 { return float64(s.jobs) },
	},
	"isolated": {
		jobs:   func(s sizes, _ float64) float64 { return 5 * float64(s.repeat) },
		pauses: func(s sizes) float64 { return float64(s.repeat) },
	},
	"join": {
		jobs:   func(s sizes, _ float64) float64 { return float64(s.repeat) * math.Exp2(float64(s.depth)) },
		pauses: func(s sizes) float64 { return float64(s.repeat) },
	},
	"latches": {
		jobs:   func(s sizes, workers float64) float64 { return float64(s.repeat)*workers + float64(s.injectors) },
		pauses: func(s sizes) float64 { return float64(s.repeat) },
	},
	"leavers": {
		jobs:   func(s sizes, _ float64) float64 { return 2 * float64(s.repeat) },
		pauses: func(s sizes) float64 { return 4 * float64(s.repeat) },
	},
	"loops": {
		jobs: func(s sizes, workers float64) float64 {
			return float64(s.injectors)*float64(s.repeat)*failingElements(s) + wakes*workers
		},
		pauses: func(s sizes) float64 { return float64(s.repeat) },
	},
	"meet": {
		jobs:   func(s sizes, workers float64) float64 { return float64(s.repeat) * workers },
		pauses: func(s sizes) float64 { return float64(s.repeat) },
	},
	"meet-inside": {
		jobs:   func(s sizes, workers float64) float64 { return float64(s.repeat) * workers },
		pauses: func(s sizes) float64 { return float64(s.repeat) },
	},
	"mutual": {
		jobs:   func(s sizes, _ float64) float64 { return float64(s.injectors) * float64(s.jobs) * float64(s.depth) },
		pauses: func(s sizes) float64 { return float64(s.jobs) },
	},
	"nbody": {
		jobs: func(s sizes, _ float64) float64 {
			return float64(s.repeat) * float64(s.jobs) * (leaves(s) + float64(s.jobs)/attractions)
		},
		pauses: func(s sizes) float64 { return float64(s.repeat) },
	},
	"order": {
		jobs:   func(s sizes, _ float64) float64 { return wakes * float64(s.repeat) * float64(s.jobs) },
		pauses: func(s sizes) float64 { return float64(s.repeat) },
	},
	"panics": {
		jobs: func(s sizes, workers float64) float64 {
			return float64(s.injectors)*float64(s.jobs)*(wakes*workers+starts) + workers // if each is a broadcast
		},
		pauses: func(s sizes) float64 { return float64(s.jobs) },
	},
	"programs": {
		jobs: func(s sizes, workers float64) float64 {
			return float64(s.repeat) * (wakes + 2) * workers * float64(s.jobs) // if each is a broadcast in both pools
		},
		pauses: func(s sizes) float64 { return float64(s.repeat) },
	},
	"queued": {
		jobs: func(s sizes, workers float64) float64 {
			waits := float64(s.jobs) * (1 + float64(s.injectors))
			return float64(s.repeat) * (wakes*2*workers + waits*(cancelledJobs+starts))
		},
		pauses: func(s sizes) float64 { return float64(s.repeat) * (1 + float64(s.jobs)) },
	},
	"scopes": {
		jobs:   func(s sizes, _ float64) float64 { return float64(s.repeat) * scopeJobs(s) },
		pauses: func(s sizes) float64 { return float64(s.repeat) },
	},
	"storm": {
		jobs:   func(s sizes, _ float64) float64 { return float64(s.injectors) * float64(s.jobs) },
		pauses: func(sizes) float64 { return 0 },
	},
	"story": {
		jobs:   func(s sizes, _ float64) float64 { return 4 * float64(s.repeat) },
		pauses: func(s sizes) float64 { return float64(s.repeat) },
	},
	"trickle": {
		jobs:   func(s sizes, _ float64) float64 { return float64(s.jobs) },
		pauses: func(s sizes) float64 { return float64(s.jobs) },
	},
	"typed": {
		jobs:   func(s sizes, _ float64) float64 { return 2 * float64(s.repeat) * math.Exp2(float64(s.depth)) },
		pauses: func(s sizes) float64 { return float64(s.repeat) },
	},
	"wakeups": {
		jobs:   func(s sizes, _ float64) float64 { return float64(s.jobs) },
		pauses: func(s sizes) float64 { return float64(s.jobs) },
	},
}

// leaves returns the maximum number of leaves of a loop over s.jobs elements.
func leaves(s sizes) float64 {
	return 2 * math.Ceil(float64(s.jobs)/float64(s.leaf)) // halves may be a little too long, and be halved
}

// failingElements returns the maximum number of elements of loops in loops, with the cost of those that fail.
func failingElements(s sizes) (jobs float64) {
	loops, elements := 2.0, float64(s.jobs)
	for range s.depth {
		jobs += loops * (elements + mostOfEach*starts)
		loops *= 2 * mostOfEach
		elements = max(1, elements/4)
	}
	return jobs
}

// scopeJobs counts the jobs of nested scopes: each scope has its own and one that
// is detached.
func scopeJobs(s sizes) (jobs float64) {
	scopes := 1.0
	for range s.depth {
		jobs += scopes * float64(s.jobs+1)
		scopes *= float64(s.jobs)
	}
	return jobs
}
