package scale

import (
	"fmt"

	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/rouse-go/rouse/sleep"
)

// A Way is a way to sleep: a variant of package sleep, or an idea that there is in this model only.
type Way struct {
	Name    string
	Variant sleep.Variant
	spread  bool // an idea
}

// Ways returns those that the simulation knows: the default, the older protocol, and the two
// ideas of RFC 5 that are about machines with many cores.
func Ways() []Way {
	var ways []Way
	for _, w := range []struct{ name, variant string }{
		{"JEC", "jec"}, {"Tickle", "tickle"}, {"blocks", "jec-blocks"}, {"local-queue", "jec-local-queue"},
	} {
		v, ok := sleep.VariantNamed(w.variant)
		if !ok {
			panic(w.variant) // a test asks for all
		}
		ways = append(ways, Way{Name: w.name, Variant: v})
	}
	return ways
}

// Ideas returns what follows from the model, to be asked of it again: JEC whose wakers look for
// sleepers from a random worker on, and not all from worker 0 on.
func Ideas() []Way {
	jec := Ways()[0]
	return []Way{{Name: "JEC, spread scans", Variant: jec.Variant, spread: true}}
}

// AllWays returns the ways and the ideas.
func AllWays() []Way { return append(Ways(), Ideas()...) }

// WayNamed returns the way of that name, or an error that says which there are.
func WayNamed(name string) (Way, error) {
	var names []string
	for _, w := range AllWays() {
		if w.Name == name {
			return w, nil
		}
		names = append(names, w.Name)
	}
	return Way{}, fmt.Errorf("no way to sleep %q; %s", nearest.Clip(name), nearest.Hint(name, names))
}

// protocol returns the way's for one run.
func (w Way) protocol(s *sim, b broken) protocol {
	if d, ok := w.Variant.Decisions(); ok {
		p := newJEC(s, d)
		p.broken, p.spread = b, w.spread
		return p
	}
	p := newTickle(s)
	p.broken = b
	return p
}
