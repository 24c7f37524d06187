package goroot

import (
	"crypto/sha256"
	_ "embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// releases has a line for each release of Go that has been tried: its version, and the hash of its standard library.
// TestReleases writes it.
//
//go:embed releases.txt
var releases string

// sourceKinds are the extensions of files that programs are made of.
var sourceKinds = []string{".go", ".s", ".h", ".c", ".syso"}

// builtSources are written when a toolchain is built, with what is the default there.
var builtSources = []string{"go/build/zcgo.go", "internal/buildcfg/zbootstrap.go", "internal/runtime/sys/zversion.go"}

// eachSource calls f with the path below src of each file of the standard library that programs are made of, in order.
func eachSource(root string, f func(name, file string) error) error {
	src, err := filepath.EvalSymlinks(filepath.Join(root, "src")) // a link in some distributions
	if err != nil {
		return err
	}
	return filepath.WalkDir(src, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(src, file)
		switch name = filepath.ToSlash(name); {
		case err != nil:
			return err
		case d.IsDir() && (name == "cmd" || d.Name() == "testdata"):
			return fs.SkipDir
		case d.IsDir() || strings.HasSuffix(name, "_test.go") || !slices.Contains(sourceKinds, filepath.Ext(name)) || slices.Contains(builtSources, name):
			return nil
		}
		return f(name, file)
	})
}

// sourceSum returns the hash of the standard library of a GOROOT.
func sourceSum(root string) (string, error) {
	h := sha256.New()
	err := eachSource(root, func(name, file string) error {
		text, err := os.ReadFile(file)
		if err == nil {
			feed(h, name, string(text))
		}
		return err
	})
	return fmt.Sprintf("%x", h.Sum(nil)[:10]), err
}

// unverified returns why a Go is not one of the releases that have been tried; "" if it is one. sum is that of its
// standard library.
func unverified(version, sum, experiment string) string {
	known := false
	for line := range strings.Lines(releases) {
		name, s, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch {
		case name == version && s == sum && experiment != "":
			return version + " has GOEXPERIMENT=" + experiment
		case name == version && s == sum:
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
