package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/rouse-go/rouse/evidence/bench/measure"
	"github.com/rouse-go/rouse/evidence/bench/peers"
)

// load returns the results of an earlier run in the output folder if r.keep is set.
func (r *tableRun) load(all []peers.Row) ([]*peers.Result, error) {
	if !r.keep {
		return nil, nil
	}
	path := filepath.Join(r.out.Folder, "peers.jsonl")
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	kept, err := peers.Load(f, measure.Machine(), all)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return kept, nil
}

// merge returns the results of all rows in their order, preferring this run's results to kept
// ones. Rows without either are left out.
func merge(all []peers.Row, results, kept []*peers.Result) (merged []*peers.Result) {
	for _, row := range all {
		for _, r := range append(results[:len(results):len(results)], kept...) {
			if r.Row.Name == row.Name {
				merged = append(merged, r)
				break
			}
		}
	}
	return merged
}

// rounds formats the number of rounds of the rows.
func rounds(results []*peers.Result) string {
	least, most := results[0].Rounds(), 0
	for _, r := range results {
		least, most = min(least, r.Rounds()), max(most, r.Rounds())
	}
	if least == most {
		return fmt.Sprintf("%d rounds", most)
	}
	return fmt.Sprintf("%d to %d rounds", least, most)
}
