package main

import (
	"path/filepath"

	"github.com/rouse-go/rouse"
	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/rouse-go/rouse/stress"
)

// loadScenarios reads a scenario file, or the default campaign if path is "".
func loadScenarios(path string) ([]stress.Scenario, error) {
	load := func() ([]stress.Scenario, error) { return stress.LoadFile(path) }
	if path == "" {
		load = func() ([]stress.Scenario, error) { return stress.Load(embedded, rouse.Scenarios) }
	}
	scenarios, err := load()
	if err != nil {
		return nil, usage("%w", err)
	}
	return scenarios, nil
}

// embedded is what messages call the file that the binary holds.
const embedded = "scenarios.yaml"

// choose returns the scenarios of those names, in that order; all if there are
// no names.
func choose(all []stress.Scenario, chosen []string) ([]stress.Scenario, error) {
	if len(chosen) == 0 {
		return all, nil
	}
	byName := map[string]stress.Scenario{}
	var have []string
	for _, sc := range all {
		byName[sc.Name] = sc
		have = append(have, sc.Name)
	}
	var picked []stress.Scenario
	seen := map[string]bool{}
	for _, name := range chosen {
		sc, ok := byName[name]
		if !ok {
			if ext := filepath.Ext(name); ext == ".yaml" || ext == ".yml" {
				return nil, usage("unknown scenario %q; want --file for a scenario file", nearest.Clip(name))
			}
			return nil, usage("unknown scenario %q; %s", nearest.Clip(name), nearest.Hint(name, have))
		}
		if seen[name] {
			return nil, usage("scenario %s is named twice", name)
		}
		seen[name] = true
		picked = append(picked, sc)
	}
	return picked, nil
}
