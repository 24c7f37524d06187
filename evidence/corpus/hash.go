package corpus

import (
	"crypto/sha256"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// engineFolders lists the folders whose source determines which schedules are tried.
var engineFolders = []string{"chaos", "internal/explore", "stress/internal/suite"}

// Engine returns a hash of the source of the engine in the repository of rouse.
func Engine(source string) (string, error) {
	h := sha256.New()
	for _, folder := range engineFolders {
		err := filepath.WalkDir(filepath.Join(source, folder), func(name string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && d.Name() == "testdata" || d.IsDir() && name == filepath.Join(source, "chaos/goroot/corpus"):
				return fs.SkipDir
			case d.IsDir() || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go"):
				return nil
			}
			return hashFile(h, name)
		})
		if err != nil {
			return "", err
		}
	}
	return short(h), nil
}

// files returns a hash of the test of a bug and of how it is run.
func (b *Bug) files(root string) (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%q", append([]string{b.Package, b.Test, b.Fixed, b.How, b.Module, b.Broken, b.FixedVersion}, b.Args...))
	if b.Set.Name == "goroot" {
		fmt.Fprint(h, runtime.Version())
		return short(h), nil
	}
	names, err := filepath.Glob(filepath.Join(root, b.Set.Dir, filepath.FromSlash(b.Package), "*.go"))
	if err != nil {
		return "", err
	}
	for _, name := range names {
		if err := hashFile(h, name); err != nil {
			return "", err
		}
	}
	return short(h), nil
}

func hashFile(h hash.Hash, name string) error {
	text, err := os.ReadFile(name)
	fmt.Fprintf(h, "\n%s %d\n%s", filepath.Base(name), len(text), text)
	return err
}

func short(h hash.Hash) string { return fmt.Sprintf("%x", h.Sum(nil)[:6]) }
