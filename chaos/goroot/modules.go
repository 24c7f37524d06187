package goroot

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/rouse-go/rouse/internal/input"
)

// folders returns the folders of the standard library, by which patterns of -gcflags can name its
// packages.
func folders(root string) (names []string) {
	entries, _ := os.ReadDir(filepath.Join(root, "src")) // other code that needs it reports what is wrong with it
	for _, e := range entries {
		if e.IsDir() && e.Name() != "cmd" && e.Name() != "testdata" {
			names = append(names, e.Name())
		}
	}
	return names
}

// mostModFile is how large a go.mod or go.work is at most, in bytes.
const mostModFile = 16 << 20

// modules returns the paths of those modules of the user's that begin with the name of one of the folders,
// such as net/mine: main modules, and what they require or replace. modFile is the value of -modfile in a folder,
// or "".
func (e *env) modules(folders []string, dir, modFile string) (paths []string) {
	files := []string{e.GOMOD}
	if modFile != "" {
		if !filepath.IsAbs(modFile) {
			modFile = filepath.Join(dir, modFile)
		}
		files = []string{modFile}
	}
	if e.GOWORK != "" && e.GOWORK != "off" {
		files, paths = workspace(e.GOWORK)
	}
	for _, file := range files {
		text, err := input.Read(file, mostModFile)
		if err != nil {
			continue // there is none
		}
		mod, err := modfile.Parse(file, text, nil)
		if err != nil { // it may have a line that only a newer Go knows
			if mod, err = modfile.ParseLax(file, text, nil); err != nil {
				continue
			}
		}
		if mod.Module != nil {
			paths = append(paths, mod.Module.Mod.Path)
		}
		for _, r := range mod.Require {
			paths = append(paths, r.Mod.Path)
		}
		for _, r := range mod.Replace {
			paths = append(paths, r.Old.Path)
		}
	}
	slices.Sort(paths)
	return slices.DeleteFunc(slices.Compact(paths), func(path string) bool {
		first, _, more := strings.Cut(path, "/")
		return !more || !slices.Contains(folders, first)
	})
}

// workspace returns the go.mod files of the modules that a go.work uses, and the paths of what it replaces. The go
// command says what is wrong with one.
func workspace(file string) (files, replaced []string) {
	text, err := input.Read(file, mostModFile)
	if err != nil {
		return nil, nil
	}
	work, err := modfile.ParseWork(file, text, nil)
	if err != nil {
		return nil, nil
	}
	for _, use := range work.Use {
		dir := filepath.FromSlash(use.Path)
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(filepath.Dir(file), dir)
		}
		files = append(files, filepath.Join(dir, "go.mod"))
	}
	for _, r := range work.Replace {
		replaced = append(replaced, r.Old.Path)
	}
	return files, replaced
}
