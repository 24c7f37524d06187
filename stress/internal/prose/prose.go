package prose

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Plural formats a count with its noun: "1 job", "2 jobs".
func Plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// mostNamed is how many names a sentence has. If there are more, it has fewNamed and the number of the rest.
const mostNamed, fewNamed = 5, 3

// Are joins names and a verb: "a and b are", "a, b, c and 4 more are".
func Are(names []string, is, are string) string {
	switch {
	case len(names) == 1:
		return names[0] + " " + is
	case len(names) > mostNamed:
		return fmt.Sprintf("%s and %s %s", strings.Join(names[:fewNamed], ", "), more(names), are)
	}
	return strings.Join(names, ", ") + " " + are
}

// Truncate returns the list, or its first elements and the number of the others.
func Truncate(all []string) []string {
	if len(all) <= mostNamed {
		return all
	}
	return append(slices.Clone(all[:fewNamed]), more(all))
}

func more(all []string) string { return fmt.Sprintf("%d more", len(all)-fewNamed) }

// Bytes formats a size of memory: "512 MiB", "9.0 GiB".
func Bytes(n int64) string {
	if n < 1<<30 {
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
}

// Relative returns the name of a file for people: relative to the current folder if the file is below it.
func Relative(path string) string {
	here, err := os.Getwd()
	if err != nil {
		return path
	}
	if rel, err := filepath.Rel(here, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}
