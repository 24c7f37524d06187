package stress

import (
	"path/filepath"
	"slices"

	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/rouse-go/rouse/stress/internal/command"
)

// loadScenarios reads a scenario file, which may extend the default campaign, or that if path is "".
func (m *program) loadScenarios(path string) ([]Scenario, error) {
	load := func() ([]Scenario, error) {
		data, err := readInput(path)
		if err != nil {
			return nil, err
		}
		return LoadExtending(path, data, m.subjects[0].Scenarios)
	}
	if path == "" {
		load = func() ([]Scenario, error) { return Load(embedded, m.subjects[0].Scenarios) }
	}
	scenarios, err := load()
	if err != nil {
		return nil, command.Usage("%w", err)
	}
	return scenarios, nil
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
