package prose

import (
	"os"
	"path/filepath"
)

// Relative is the name of a file as people read it: relative to the current folder if it is below it.
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
