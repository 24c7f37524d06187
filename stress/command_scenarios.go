package stress

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/rouse-go/rouse/stress/internal/command"
)

// loadScenarios reads a scenario file, which may extend the default campaign, or that if path is "".
func (m *program) loadScenarios(path string) ([]Scenario, error) {
	load := func() ([]Scenario, error) {
		data, err := readInput(path, maxInput)
		if err != nil {
			return nil, err
		}
		return LoadExtending(path, data, m.subjects[0].Scenarios, m.subjects...)
	}
	if path == "" {
		load = m.loadEmbedded
	}
	scenarios, err := load()
	if err != nil {
		return nil, command.Usage("%w", err)
	}
	return scenarios, nil
}

// loadEmbedded reads the campaigns of all subjects, as one.
func (m *program) loadEmbedded() (all []Scenario, err error) {
	from := map[string]string{} // whose a name is
	for i, s := range m.subjects {
		if len(s.Scenarios) == 0 {
			continue
		}
		mine, name := slices.Concat(m.subjects[i:], m.subjects[:i]), embedded // what does not say is of this one
		if len(m.subjects) > 1 {
			name += " of " + s.Name
		}
		scenarios, err := Load(name, s.Scenarios, mine...)
		if err != nil {
			return nil, err
		}
		for _, sc := range scenarios {
			if first, ok := from[sc.Name]; ok {
				return nil, fmt.Errorf("two scenarios are called %s, one of %s and one of %s", sc.Name, first, s.Name)
			}
			from[sc.Name] = s.Name
		}
		all = append(all, scenarios...)
	}
	if len(all) == 0 {
		return nil, errors.New("there are no scenarios in this program; want --file for a scenario file")
	}
	return all, nil
}

// embedded is what messages call the file that the binary holds.
const embedded = "scenarios.yaml"

// ofGroup returns the scenarios of a group; all if it is "".
func ofGroup(all []Scenario, group string) (in []Scenario, err error) {
	if group == "" {
		return all, nil
	}
	var have []string
	for _, sc := range all {
		if sc.Group == group {
			in = append(in, sc)
		}
		if sc.Group != "" && !slices.Contains(have, sc.Group) {
			have = append(have, sc.Group)
		}
	}
	if len(in) == 0 {
		return nil, command.Usage("unknown group %q; %s", nearest.Clip(group), nearest.Hint(group, have))
	}
	return in, nil
}

// choose returns the scenarios of those names, in that order; all if there are
// no names.
func choose(all []Scenario, chosen []string) ([]Scenario, error) {
	if len(chosen) == 0 {
		return all, nil
	}
	byName := map[string]Scenario{}
	var have []string
	for _, sc := range all {
		byName[sc.Name] = sc
		have = append(have, sc.Name)
	}
	var picked []Scenario
	seen := map[string]bool{}
	for _, name := range chosen {
		sc, ok := byName[name]
		if !ok {
			if ext := filepath.Ext(name); ext == ".yaml" || ext == ".yml" {
				return nil, command.Usage("unknown scenario %q; want --file for a scenario file", nearest.Clip(name))
			}
			return nil, command.Usage("unknown scenario %q; %s", nearest.Clip(name), nearest.Hint(name, have))
		}
		if seen[name] {
			return nil, command.Usage("scenario %s is named twice", name)
		}
		seen[name] = true
		picked = append(picked, sc)
	}
	return picked, nil
}
