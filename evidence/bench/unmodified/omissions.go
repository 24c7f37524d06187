package unmodified

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// An Omission is a patch or a point of the overlay, and the test that notices if it is left out.
type Omission struct {
	Kind, Name string
	// By is the first test that notices, and its message; "build" if the build fails; "" if no test
	// notices.
	By string
}

// ReadOmissions reads a table, which need not exist.
func ReadOmissions(name string) (all []Omission, err error) {
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for line := range strings.Lines(string(text)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(fields) != 3 {
			return nil, fmt.Errorf("%s: %q has %d fields, want 3", name, line, len(fields))
		}
		all = append(all, Omission{fields[0], fields[1], fields[2]})
	}
	return all, err
}

// WriteOmissions writes a table.
func WriteOmissions(name string, all []Omission) error {
	all = slices.Clone(all)
	slices.SortFunc(all, func(a, b Omission) int {
		return cmp.Or(strings.Compare(a.Kind, b.Kind), strings.Compare(a.Name, b.Name))
	})
	var text strings.Builder
	for _, o := range all {
		fmt.Fprintf(&text, "%s\t%s\t%s\n", o.Kind, o.Name, o.By)
	}
	return os.WriteFile(name, []byte(text.String()), 0o644)
}
