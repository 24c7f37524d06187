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

// A Slice is a part of the bugs: every Of-th one, beginning with the one numbered Part, from 1.
type Slice struct{ Part, Of int }

// ParseSlice reads "2/7".
func ParseSlice(text string) (s Slice, err error) {
	if _, err := fmt.Sscanf(text, "%d/%d", &s.Part, &s.Of); err != nil || s.Part < 1 || s.Of < s.Part || fmt.Sprintf("%d/%d", s.Part, s.Of) != text {
		return s, fmt.Errorf("found %q, want a part and how many there are, such as 2/7", nearest.Clip(text))
	}
	return s, nil
}

// Bugs returns the part of the bugs that is in the slice.
func (s Slice) Bugs(bugs []*Bug) (part []*Bug) {
	for i := s.Part - 1; i < len(bugs); i += s.Of {
		part = append(part, bugs[i])
	}
	return part
}
