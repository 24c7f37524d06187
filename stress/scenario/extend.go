package scenario

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/rouse-go/rouse/internal/yamltree"
	"github.com/rouse-go/rouse/stress/subject"
)

// Default reads the campaigns of the subjects, as one. Errors are those of Load, or say that two
// scenarios have the same name.
func Default(subjects ...subject.Subject) ([]Scenario, error) {
	cat, err := installedCatalogue(subjects...)
	if err != nil {
		return nil, err
	}
	c, err := campaignOf(cat)
	if err != nil {
		return nil, err
	}
	return c.all, nil
}

// campaignFile is what messages call the campaign in the binary.
const CampaignFile = "scenarios.yaml"

func campaignOf(cat *catalogue) (all *loader, err error) {
	from := map[string]string{} // the subject whose campaign has the name
	for i := range cat.subjects {
		s := &cat.subjects[i]
		if len(s.Scenarios) == 0 {
			continue
		}
		file := CampaignFile
		if len(cat.subjects) > 1 {
			file += " of " + s.Name
		}
		l, err := loaded(file, s.Scenarios, cat.whole.of(s), false)
		if err != nil {
			return nil, err
		}
		for _, sc := range l.all {
			if first, ok := from[sc.Name]; ok {
				return nil, fmt.Errorf("two scenarios are called %s, one of %s and one of %s", sc.Name, first, s.Name)
			}
			from[sc.Name] = s.Name
		}
		if all == nil {
			all = l
			continue
		}
		all.all, all.absent = append(all.all, l.all...), append(all.absent, l.absent...)
		maps.Copy(all.known, l.known)
		all.Adopt(l.Reader)
	}
	if all == nil {
		return nil, errNoCampaign
	}
	return all, nil
}

var errNoCampaign = errors.New("there are no scenarios in this program; want --file for a scenario file")

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
	}
	c, err := (*loader)(nil), errNoCampaign
	if l.extending {
		c, err = campaignOf(l.cat)
	}
	switch {
	case errors.Is(err, errNoCampaign):
		l.Fail(n, "extends: there is no campaign here that it could extend")
		return
	case err != nil:
		l.Fail(n, "extends: %v", err)
		return
	}
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
	f.Inherit(base, n, keys, append(l.cat.subjectNames(), "sizes"))
}
