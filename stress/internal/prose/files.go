package prose

import (
	"os"
	"path/filepath"
)

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
