package gopools

import (
	"github.com/alitto/pond/v2"
)

// Limited returns the kinds that bound the number of jobs in flight, for programs whose jobs
// block. Their New takes that number, and Go waits while so many are in flight.
func Limited() []Kind {
	return []Kind{
		{"rouse", newRouseGroup},
		{"errgroup", newErrgroupLimited},
		{"conc", newConc},
		{"ants", newAnts},
		{"pond", newPondLimited},
	}
}

// Peers returns the names of the limited kinds, without rouse.
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

// newPondLimited makes a queue of one, the shortest possible: with the default, an unbounded
// queue, all jobs of a turn would wait in it.
func newPondLimited(inFlight int) (Pool, error) {
	return pondPool{pond.NewPool(inFlight, pond.WithQueueSize(1))}, nil
}
