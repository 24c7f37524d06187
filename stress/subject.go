package stress

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse"
)

// A Subject is code under test, with all that a program must know to torment it. Pool
// makes the one of this module; those of others are made by Target.Subject. It is
// passed by value, and no program has any that it was not given.
type Subject struct {
	// Name is what scenarios call it: lower-case words joined by hyphens.
	Name string
	// Packages are the first elements of the names of its hook points ("queue" for
	// queue/pushed), or several elements: they are what its scenarios may name, and what
	// the command points lists. None stands for all that the program has.
	Packages []string
	// Scenarios is the text of the campaign that is run if nobody names a file, in the
	// form that Load reads.
	Scenarios []byte
	// Commands make the commands that this subject adds to the command line.
	Commands []func() *cobra.Command

	workloads []Workload
	guest     bool // not the pool: its scenarios have neither pool nor strategy of sleep
}

const poolName = "pool"

// Pool is the subject of this module: the pool, with the workloads that Workloads lists
// and the campaign of rouse.Scenarios.
func Pool() Subject {
	return Subject{Name: poolName, Scenarios: rouse.Scenarios, workloads: Workloads()}
}

// orPool are the subjects, or the pool if there are none.
func orPool(subjects []Subject) []Subject {
	if len(subjects) == 0 {
		return []Subject{Pool()}
	}
	return subjects
}

// A guest is what a scenario of a subject other than the pool is of.
type guest struct {
	subject  string
	workload Workload
}

// resolve gives a scenario that comes from another process its workload.
func (sc *Scenario) resolve(subjects []Subject) {
	for i := range subjects {
		s := &subjects[i]
		if !s.guest || s.Name != sc.Subject {
			continue
		}
		if w := slices.IndexFunc(s.workloads, func(w Workload) bool { return w.Name == sc.Workload }); w >= 0 {
			sc.guest = &guest{s.Name, s.workloads[w]}
		}
	}
}
