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

// Default reads the campaigns of the subjects as one. Errors are those of Load, or report that two
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

// CampaignFile is the name of the campaign in the binary, for messages.
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
	}
	if all == nil {
		return nil, errNoCampaign
	}
	return all, nil
}

var errNoCampaign = errors.New("there are no scenarios in this program; want --file for a scenario file")

// extendsDefault is the name of the only campaign that a file can extend.
const extendsDefault = "default"

// extend adds the scenarios of the campaign if the file extends it, which it may only if may is set.
func (l *loader) extend(file *yamltree.Tree, may bool) {
	t := file.Get("extends")
	if l.Err != nil || t.Text() != extendsDefault {
		return
	}
	c, err := (*loader)(nil), errNoCampaign
	if may {
		c, err = campaignOf(l.cat)
	}
	switch {
	case errors.Is(err, errNoCampaign):
		t.Fail("extends: there is no campaign here that it could extend")
	case err != nil:
		t.Fail("extends: %v", err)
	default:
		l.all, l.absent = slices.Clone(c.all), slices.Clone(c.absent)
		maps.Copy(l.known, c.known)
	}
}

// remove removes scenarios of the campaign.
func (l *loader) remove(t *yamltree.Tree) {
	if l.Err != nil {
		return
	}
	for i, name := range t.Texts() {
		if at := l.index(name); at >= 0 {
			l.all = slices.Delete(l.all, at, at+1)
		} else {
			t.Element(i).Fail("remove: unknown scenario %q; %s", nearest.Clip(name), nearest.Hint(name, scenarioNames(l.all)))
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

// put adds the file's own scenarios. A scenario replaces the one of the same name.
func (l *loader) put(own []Scenario) {
	for _, sc := range own {
		if i := l.index(sc.Name); i >= 0 {
			l.all[i] = sc
		} else {
			l.all = append(l.all, sc)
		}
	}
}

// inherit gives a scenario the keys of its base. A scenario without base is already complete. Invalid values of
// base and remove are left to the schema.
func (l *loader) inherit(t *yamltree.Tree) {
	site, remove := t.Get("base"), t.Get("remove")
	name, keys := site.Text(), remove.Texts()
	if name == "" || len(keys) < len(remove.Items) || len(keys) == 0 && t.Fields["remove"] != nil {
		return
	}
	base, ok := l.known[name]
	if !ok {
		site.Fail("base: unknown scenario %q; %s", nearest.Clip(name), nearest.Hint(name, slices.Sorted(maps.Keys(l.known))))
		return
	}
	gone := []string{"name", "base", "remove"}
	for i, key := range keys {
		if base.Fields[key] == nil || slices.Contains(gone, key) {
			remove.Element(i).Fail("remove: %s has no key %q that could be removed", name, nearest.Clip(key))
		}
		gone = append(gone, key)
	}
	t.Inherit(base, site, gone, append(l.cat.subjectNames(), "sizes"))
	delete(t.Fields, "base")
	delete(t.Fields, "remove")
}
