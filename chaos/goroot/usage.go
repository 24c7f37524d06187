package goroot

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
)

// Usage is what a cache of stress test takes.
type Usage struct {
	Folder     string
	Overlays   int
	Toolchains int
	Bytes      int64 // of all files: the files of a toolchain may be hard links to those of another folder
}

// Caches returns the usage of the caches that [Make] uses, the preferred one first.
func Caches(ctx context.Context, o Options) ([]Usage, error) {
	e, err := environment(ctx, o)
	if err != nil {
		return nil, err
	}
	folders, err := e.folders(o.Cache)
	if err != nil {
		return nil, err
	}
	var all []Usage
	for _, folder := range folders {
		all = append(all, Usage{folder, entries(folder), entries(filepath.Join(folder, toolchainsName)), Size(folder)})
	}
	return all, nil
}

// entries counts the folders of a cache that are complete.
func entries(dir string) (n int) {
	all, _ := os.ReadDir(dir) // one that is not there has none
	for _, e := range all {
		if ok, _ := filepath.Match(temporaryPrefix+"*", e.Name()); e.IsDir() && entryName.MatchString(e.Name()) && !ok {
			n++
		}
	}
	return n
}

// Size returns the sum of the sizes of the files below a folder, without those that it cannot read.
func Size(dir string) (sum int64) {
	filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error { //nolint:errcheck // the function returns none
		if err != nil || !d.Type().IsRegular() {
			return nil
		}
		if info, err := d.Info(); err == nil {
			sum += info.Size()
		}
		return nil
	})
	return sum
}
