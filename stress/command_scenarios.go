package stress

import (
	"path/filepath"

	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/rouse-go/rouse/stress/internal/command"
)

// loadScenarios reads a scenario file, or the default campaign if path is "".
func (m *program) loadScenarios(path string) ([]Scenario, error) {
	load := func() ([]Scenario, error) { return LoadFile(path) }
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
