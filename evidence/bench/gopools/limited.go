package gopools

import (
	"github.com/alitto/pond/v2"
)

// Limited returns those ways that bound how many jobs are under way at a time: what a program
// takes whose jobs block. Their New takes that number, and Go waits while so many are.
func Limited() []Kind {
	return []Kind{
		{"rouse", newRouseGroup},
		{"errgroup", newErrgroupLimited},
		{"conc", newConc},
		{"ants", newAnts},
		{"pond", newPondLimited},
	}
}

// Peers returns the names of those, without rouse.
func Peers() (names []string) {
	for _, kind := range Limited()[1:] {
		names = append(names, kind.Name)
	}
	return names
}

func newErrgroupLimited(inFlight int) (Pool, error) {
	g := new(group)
	g.SetLimit(inFlight)
	return g, nil
}

// newPondLimited makes a queue of one, the shortest that there is: with its default, a queue
// without bounds, all jobs of a turn would wait in it.
func newPondLimited(inFlight int) (Pool, error) {
	return pondPool{pond.NewPool(inFlight, pond.WithQueueSize(1))}, nil
}
