package stress

import (
	"errors"
	"slices"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/stress/internal/command"
)

// ErrNotChaos is what everything that needs hook points returns in a binary
// without them.
var ErrNotChaos = errors.New("built without -tags chaos: the hook points are not in this binary; go build -tags chaos " + command.MainPackage())

// A catalogue is what a scenario may name in this binary.
type catalogue struct {
	workloads []Workload
	points    []string // hook points
	subjects  []Subject
	subject   *Subject   // whose scenarios are read; nil: the pool's
	whole     *catalogue // of all subjects
	// check says whether the engine could carry a plan out.
	check func(chaos.Plan) error
}

// installedCatalogue is what this binary has of the subjects; a scenario that does not say
// is of the first. None stands for the pool.
func installedCatalogue(subjects ...Subject) (*catalogue, error) {
	if !hooks.Enabled {
		return nil, ErrNotChaos
	}
	c := &catalogue{subjects: orPool(subjects), check: chaos.Plan.Check}
	for _, p := range Points() {
		c.points = append(c.points, p.Name)
	}
	c.whole = c
	return c.of(&c.subjects[0]), nil
}

func (c *catalogue) workload(name string) (Workload, bool) {
	i := slices.IndexFunc(c.workloads, func(w Workload) bool { return w.Name == name })
	if i < 0 {
		return Workload{}, false
	}
	return c.workloads[i], true
}

func (c *catalogue) workloadNames() []string {
	var names []string
	for _, w := range c.workloads {
		names = append(names, w.Name)
	}
	return names
}

func faultNames() []string {
	var names []string
	for _, k := range chaos.Kinds() {
		names = append(names, k.String())
	}
	return names
}

func verdictNames() []string {
	var names []string
	for _, v := range Verdicts() {
		names = append(names, string(v))
	}
	return names
}
