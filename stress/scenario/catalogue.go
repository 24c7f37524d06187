package scenario

import (
	"errors"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/stress/internal/called"
	"github.com/rouse-go/rouse/stress/subject"
)

// ErrNotChaos is returned by everything that needs hook points in a binary
// without them.
var ErrNotChaos = errors.New("built without -tags chaos: the hook points are not in this binary; go build -tags chaos " + called.MainPackage())

// A catalogue holds the names that a scenario may use in this binary.
type catalogue struct {
	points   []string // hook points
	subjects []subject.Subject
	subject  *subject.Subject // the subject of the scenarios that are read
	whole    *catalogue       // the catalogue of all subjects
	// check returns an error if the engine cannot carry out a plan.
	check func(chaos.Plan) error
}

// installedCatalogue returns the catalogue of this binary for the subjects. A scenario that does not name its
// subject is about the first.
func installedCatalogue(subjects ...subject.Subject) (*catalogue, error) {
	if !hooks.Enabled {
		return nil, ErrNotChaos
	}
	c := &catalogue{subjects: subjects, check: chaos.Plan.Check}
	for _, p := range Points() {
		c.points = append(c.points, p.Name)
	}
	c.whole = c
	return c.of(&c.subjects[0]), nil
}

func (c *catalogue) subjectNames() (names []string) {
	for i := range c.subjects {
		names = append(names, c.subjects[i].Name)
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
	for _, v := range verdict.All() {
		names = append(names, string(v))
	}
	return names
}

// A PointInfo describes a hook point of this binary.
type PointInfo = chaos.Point

// Points lists the hook points of this binary, by name. Without the chaos tag
// there are none.
func Points() []PointInfo { return chaos.Points() }
