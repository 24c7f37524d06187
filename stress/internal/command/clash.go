package command

import (
	"os"
	"path/filepath"
)

// A namedFile is a file that a command reads or writes, with its name for the user: "--json out.jsonl".
type namedFile struct{ as, path string }

// distinct returns a usage error if a command would write a file that it reads, or two outputs
// into one file. Names may differ: links of both kinds are followed. Pipes and devices may be
// shared. The error names the output.
func distinct(inputs, outputs []namedFile) error {
	for i, out := range outputs {
		for _, in := range inputs {
			if sameFile(in.path, out.path) {
				return Usage("%s: %s is the same file, which is read: want another", out.as, in.as)
			}
		}
		for _, other := range outputs[:i] {
			if sameFile(other.path, out.path) {
				return Usage("%s: %s writes the same file, want another", out.as, other.as)
			}
		}
	}
	return nil
}

// sameFile reports whether both names are the same regular file, or would be once written.
func sameFile(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	if errX == nil && errY == nil {
		return x.Mode().IsRegular() && os.SameFile(x, y)
	}
	return errX != nil && errY != nil && resolved(a) == resolved(b)
}

// resolved returns the absolute name of a file. The file and its folder need not exist.
func resolved(path string) string {
	whole, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	missing := ""
	for at := whole; ; at = filepath.Dir(at) {
		if real, err := filepath.EvalSymlinks(at); err == nil {
			return filepath.Join(real, missing)
		}
		if at == filepath.Dir(at) {
			return whole
		}
		missing = filepath.Join(filepath.Base(at), missing)
	}
}
