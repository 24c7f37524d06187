package command

import (
	"fmt"
	"slices"

	"github.com/rouse-go/rouse/internal/nearest"
)

// Choose returns the elements of all that have one of the names, in the order of the names, or
// all if there are no names. The error names the flag that had the names.
func Choose[T any](flag string, names []string, all []T, name func(T) string) (chosen []T, err error) {
	if len(names) == 0 {
		return all, nil
	}
	have := Names(all, name)
	for _, n := range names {
		i := slices.Index(have, n)
		if i < 0 {
			return nil, fmt.Errorf("%s %s: there is none; %s", flag, nearest.Clip(n), nearest.Hint(n, have))
		}
		chosen = append(chosen, all[i])
	}
	return chosen, nil
}

// Names returns the names of all.
func Names[T any](all []T, name func(T) string) (names []string) {
	for _, x := range all {
		names = append(names, name(x))
	}
	return names
}
