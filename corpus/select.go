package corpus

import (
	"fmt"
	"slices"

	"github.com/rouse-go/rouse/internal/nearest"
)

// Select returns the bugs with the names, each the name of a set, of a bug, or of both as in goker/etcd7492;
// without names all.
func Select(sets []*Set, names []string) (bugs []*Bug, err error) {
	if len(names) == 0 {
		return All(sets), nil
	}
	for _, name := range names {
		found := false
		for _, b := range All(sets) {
			if name != b.Name && name != b.Set.Name && name != b.ID() {
				continue
			}
			if found = true; !slices.Contains(bugs, b) {
				bugs = append(bugs, b)
			}
		}
		if !found {
			return nil, fmt.Errorf("there is no bug and no set %q; %s", nearest.Clip(name), nearest.Hint(name, Names(sets)))
		}
	}
	return bugs, nil
}
