package scenario

import (
	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/plan"
	"github.com/rouse-go/rouse/internal/yamltree"
)

func (l *loader) plan(n yamltree.Node) (faults []chaos.Fault) {
	elements := l.Elements(n, "plan")
	if len(elements) > plan.MaxFaults {
		l.Fail(elements[plan.MaxFaults], "plan: the list has %d faults, want at most %d", len(elements), plan.MaxFaults)
	}
	for _, e := range elements {
		if l.Err != nil {
			return nil
		}
		if faults = append(faults, l.fault(e)...); len(faults) > plan.MaxFaults {
			l.Fail(e, "plan: with this one there are %d faults, want at most %d", len(faults), plan.MaxFaults)
		}
	}
	return faults
}

// fault reads one line of a plan: a fault at each of its points.
func (l *loader) fault(n yamltree.Node) []chaos.Fault {
	return plan.ReadFaults(l.Fields(n, "a fault", plan.Keys()), l.cat.check)
}
