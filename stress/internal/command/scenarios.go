package command

import (
	"path/filepath"
	"slices"

	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/rouse-go/rouse/stress/scenario"
)

// loadScenarios reads a scenario file, which may extend the default campaign, or that campaign if path is "".
func (m *program) loadScenarios(path string) ([]scenario.Scenario, error) {
	var scenarios []scenario.Scenario
	var err error
	if path == "" {
		scenarios, err = scenario.Default(m.subjects...)
	} else {
		scenarios, err = scenario.LoadFile(path, m.subjects...)
	}
	if err != nil {
		return nil, Usage("%w", err)
	}
	return scenarios, nil
}

// ofGroup returns the scenarios of a group, or all if group is "".
func ofGroup(all []scenario.Scenario, group string) (in []scenario.Scenario, err error) {
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
		return nil, Usage("unknown group %q; %s", nearest.Clip(group), nearest.Hint(group, have))
	}
	return in, nil
}

// choose returns the scenarios with the given names, in that order, or all if
// there are no names.
func choose(all []scenario.Scenario, chosen []string) ([]scenario.Scenario, error) {
	if len(chosen) == 0 {
		return all, nil
	}
	byName := map[string]scenario.Scenario{}
	var have []string
	for _, sc := range all {
		byName[sc.Name] = sc
		have = append(have, sc.Name)
	}
	var picked []scenario.Scenario
	seen := map[string]bool{}
	for _, name := range chosen {
		sc, ok := byName[name]
		if !ok {
			if ext := filepath.Ext(name); ext == ".yaml" || ext == ".yml" {
				return nil, Usage("unknown scenario %q; want --file for a scenario file", nearest.Clip(name))
			}
			return nil, Usage("unknown scenario %q; %s", nearest.Clip(name), nearest.Hint(name, have))
		}
		if seen[name] {
			return nil, Usage("scenario %s is named twice", name)
		}
		seen[name] = true
		picked = append(picked, sc)
	}
	return picked, nil
}
