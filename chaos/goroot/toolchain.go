package goroot

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// omitted are folders of a GOROOT that no build reads.
var omitted = []string{"api", "doc", "misc", "test"}

// toolchain returns a copy of a GOROOT, which it makes if need be. Its files are hard links where
// that is possible: a toolchain has 10,000 files and 200 MB.
func (c cache) toolchain(ctx context.Context, root, version string) (string, error) {
	hash := sha256.Sum256([]byte(root))
	to := filepath.Join(c.dir, toolchainsName, fmt.Sprintf("%s-%x", version, hash[:10]))
	same := func() bool { return sameToolchain(root, to) }
	if same() && use(to) && same() {
		return to, nil
	}
	err := c.place(to, same, func(tmp string) error { return link(ctx, root, tmp) })
	use(to)
	return to, err
}

// sameToolchain compares the files that a toolchain is known by.
func sameToolchain(root, to string) bool {
	for _, name := range []string{"VERSION", "bin", "pkg/tool", "pkg/include", "src/runtime/proc.go", "src/testing/testing.go"} {
		is, err := os.Stat(filepath.Join(to, filepath.FromSlash(name)))
		if err != nil {
			return false
		}
		want, err := os.Stat(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil || !is.IsDir() && is.Size() != want.Size() {
			return false
		}
	}
	return true
}

// link makes a copy of a tree of which the files are hard links, or copies if need be.
func link(ctx context.Context, from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		switch {
		case d.IsDir() && slices.Contains(omitted, rel):
			return fs.SkipDir
		case d.IsDir():
			return os.MkdirAll(target, 0o755)
		case os.Link(path, target) == nil:
			return nil
		}
		return copyFile(path, target)
	})
}

// copyFile copies a file with its permissions and its time.
func copyFile(from, to string) error {
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, info.Mode().Perm()|0o200)
	if err != nil {
		return err
	}
	if _, err = io.Copy(out, in); err == nil {
		err = out.Close()
	} else {
		out.Close() //nolint:errcheck // the first error counts
	}
	if err != nil {
		return err
	}
	return os.Chtimes(to, info.ModTime(), info.ModTime())
}
