package stress

import (
	"slices"

	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/rouse-go/rouse/internal/yamltree"
)

// LoadExtending is Load for a file that may say
//
//	extends: default
//
// The campaign's scenarios come first then, in their order, but for those that the file says to
// remove. A scenario of the file that has the name of one of them takes its place; others come after
// them. What the campaign says under absent holds for the file's scenarios as well.
//
// With or without that, a scenario may name another as its base, one of the campaign or an
// earlier one of the file, its own name included. It then has all the keys of that but its name, and
// those that it says to remove. A key that it has itself replaces the base's; of pool and sizes,
// which are mappings, each key does. So
//
//   - {name: leavers, base: leavers, pool: {workers: [8]}}
//
// is the campaign's leavers with eight workers and all else as it was.
//
// An error is always about the file: what the base has and does not fit is reported where the
// file names the base. The campaign itself must be one that Load takes, or nothing. The
// subjects are as for Load.
func LoadExtending(name string, data, campaign []byte, subjects ...Subject) ([]Scenario, error) {
	cat, err := installedCatalogue(subjects...)
	if err != nil {
		return nil, err
	}
	return loadExtending(name, data, campaign, cat)
}

func loadExtending(name string, data, campaign []byte, cat *catalogue) ([]Scenario, error) {
	var base *loader
	if len(campaign) > 0 {
		var err error
		if base, err = loaded("the campaign", campaign, cat, nil); err != nil {
			return nil, err
		}
	}
	l, err := loaded(name, data, cat, base)
	if err != nil {
		return nil, err
	}
	return l.all, nil
}

// extendsDefault is the one campaign that a file can extend.
const extendsDefault = "default"

// extends takes over the campaign.
func (l *loader) extends(n yamltree.Node) {
	s := l.Text(n, "extends")
	switch {
	case l.Err != nil:
		return
	case s != extendsDefault:
		l.Fail(n, "extends: found %q, want %s: the campaign in the binary", nearest.Clip(s), extendsDefault)
		return
	case l.campaign == nil:
		l.Fail(n, "extends: there is no campaign here that it could extend")
		return
	}
	c := l.campaign
	l.all, l.absent = slices.Clone(c.all), slices.Clone(c.absent)
	l.Adopt(c.Reader)
	for name, f := range c.known {
		l.known[name] = f
	}
}

// remove leaves scenarios of the campaign out.
func (l *loader) remove(n yamltree.Node) {
	for _, name := range l.Texts(n, "remove", func(n yamltree.Node) string {
		s := l.Text(n, "remove")
		if l.Err == nil && l.index(s) < 0 {
			l.Fail(n, "remove: unknown scenario %q; %s", nearest.Clip(s), nearest.Hint(s, scenarioNames(l.all)))
		}
		return s
	}) {
		if i := l.index(name); i >= 0 {
			l.all = slices.Delete(l.all, i, i+1)
		}
	}
}

func (l *loader) index(name string) int {
	return slices.IndexFunc(l.all, func(sc Scenario) bool { return sc.Name == name })
}

func scenarioNames(scenarios []Scenario) (names []string) {
	for _, sc := range scenarios {
		names = append(names, sc.Name)
	}
	return names
}

// put adds the file's own scenarios, those with a name that is there in its place.
func (l *loader) put(own []Scenario) {
	for _, sc := range own {
		if i := l.index(sc.Name); i >= 0 {
			l.all[i] = sc
		} else {
			l.all = append(l.all, sc)
		}
	}
}

// inherit gives a scenario the keys of its base.
func (l *loader) inherit(f *yamltree.Fields, keys []string) {
	if !f.Has("base") {
		if f.Has("remove") {
			l.Fail(f.At("remove"), "remove: found it in a scenario without a base, want base, or no remove")
		}
		return
	}
	n := f.Value("base")
	name := l.Text(n, "base")
	base, ok := l.known[name]
	if l.Err != nil {
		return
	}
	if !ok {
		var have []string
		for known := range l.known {
			have = append(have, known)
		}
		slices.Sort(have)
		l.Fail(n, "base: unknown scenario %q; %s", nearest.Clip(name), nearest.Hint(name, have))
		return
	}
	gone := []string{"name", "base", "remove"}
	if f.Has("remove") {
		gone = append(gone, l.Texts(f.Value("remove"), "remove", func(n yamltree.Node) string {
			s := l.Text(n, "remove")
			if l.Err == nil && (!base.Has(s) || slices.Contains(gone, s)) {
				l.Fail(n, "remove: %s has no key %q that could be removed", name, nearest.Clip(s))
			}
			return s
		})...)
	}
	keys = slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return slices.Contains(gone, key) })
	f.Inherit(base, n, keys, []string{"pool", "sizes"})
}
