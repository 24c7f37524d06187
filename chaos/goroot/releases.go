package goroot

import (
	"crypto/sha256"
	_ "embed"
	"fmt"
	"slices"
	"strings"
)

// releases has a line for each release of Go that has been tried: its version, and the hash of the files that patches
// change. TestReleases writes it.
//
//go:embed releases.txt
var releases string

// sum returns the hash of the files of a tree as they were.
func (t *tree) sum() string {
	h := sha256.New()
	names := make([]string, 0, len(t.files))
	for name, f := range t.files {
		if f != nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		feed(h, name, strings.Join(t.files[name].lines, "\n"))
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:10])
}

// unverified returns why a Go is not one of the releases that have been tried; "" if it is one.
func unverified(version, sum string) string {
	known := false
	for line := range strings.Lines(releases) {
		name, s, _ := strings.Cut(strings.TrimSpace(line), " ")
		if name == version && s == sum {
			return ""
		}
		known = known || name == version
	}
	switch minor := (&env{GOVERSION: version}).minor(); {
	case known:
		return version + " has been modified"
	case strings.ContainsAny(version, " -"):
		return version + " is no release"
	case older(Versions[len(Versions)-1], minor):
		return version + " is newer than this rouse"
	}
	return version + " is a release that this rouse has not been tried with"
}
