package goroot

import (
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rouse-go/rouse"
)

// A cache is a folder with a folder for each overlay that was made, named by what it was made from.
// Nothing in it is written in place: what is made gets its name by a rename when it is complete.
type cache struct{ dir string }

// Files of an overlay that are none of GOROOT.
const (
	overlayName  = "overlay.json"
	manifestName = "manifest.json"
)

// A manifest lists the files of an entry with their sizes, by which a torn one is detected.
type manifest map[string]int64

// entry returns the folder of the overlay for a GOROOT, which it makes if need be.
func (c cache) entry(root, version, minor string) (string, error) {
	key, err := stamp(root, version, minor)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(c.dir, version+"-"+key)
	if complete(dir) {
		touch(dir)
		return dir, nil
	}
	texts, err := patched(root, version, minor)
	if err != nil {
		return "", err
	}
	more, err := additions()
	if err != nil {
		return "", err
	}
	for name, text := range more {
		texts[name] = relinked(name, text)
	}
	table := replacement{map[string]string{}}
	for name := range texts {
		name = filepath.FromSlash(name)
		table.Replace[filepath.Join(root, "src", name)] = filepath.Join(dir, name)
	}
	text, err := json.MarshalIndent(table, "", "\t")
	if err != nil {
		return "", err
	}
	texts[overlayName] = string(text)
	err = c.place(dir, func() bool { return complete(dir) }, func(tmp string) error { return writeEntry(tmp, texts) })
	if err != nil {
		return "", err
	}
	c.prune()
	return dir, nil
}

// writeEntry writes the files of an entry.
func writeEntry(dir string, texts map[string]string) error {
	list := manifest{}
	for name, text := range texts {
		list[name] = int64(len(text))
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			return err
		}
		old := ageless(text)
		if err := os.Chtimes(path, old, old); err != nil {
			return err
		}
	}
	text, err := json.MarshalIndent(list, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, manifestName), text, 0o666)
}

// ageless returns a time in the past that follows from a text. The go command does not index files
// that have changed in the last two seconds, and that of Go 1.25 finds no package of an overlay
// without the index. It knows indexed files by their size and time.
func ageless(text string) time.Time {
	sum := sha256.Sum256([]byte(text))
	n := binary.LittleEndian.Uint64(sum[:])
	return time.Unix(int64(1e9+n%4e8), int64(n>>32%1e9))
}

// complete reports whether an entry has all of its files in their sizes.
func complete(dir string) bool {
	text, err := os.ReadFile(filepath.Join(dir, manifestName))
	if err != nil {
		return false
	}
	var list manifest
	if json.Unmarshal(text, &list) != nil || len(list) == 0 {
		return false
	}
	for name, size := range list {
		info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil || info.Size() != size {
			return false
		}
	}
	return true
}

// place makes a folder of the cache under a temporary name and renames it. If another process is
// first, its folder stays. What is at the name and not complete is taken away.
func (c cache) place(dir string, complete func() bool, fill func(tmp string) error) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o777); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(filepath.Dir(dir), temporaryPrefix)
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp) //nolint:errcheck // nothing is left of it after the rename
	if err := os.Chmod(tmp, 0o755); err != nil {
		return err
	}
	if err := fill(tmp); err != nil {
		return err
	}
	for range 3 {
		if err = os.Rename(tmp, dir); err == nil || complete() {
			return nil
		}
		torn, e := os.MkdirTemp(filepath.Dir(dir), temporaryPrefix)
		if e != nil {
			return e
		}
		defer os.RemoveAll(torn) //nolint:errcheck // prune tries again
		if e := os.Rename(dir, filepath.Join(torn, filepath.Base(dir))); e != nil && !errors.Is(e, fs.ErrNotExist) {
			return e
		}
	}
	return err
}

// stamp returns a hash of what an overlay is made from: the GOROOT, its files that are patched by
// size and time, and this package with what it embeds. No file is read.
func stamp(root, version, minor string) (string, error) {
	own, err := ownHash()
	if err != nil {
		return "", err
	}
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%s\n%s\n", own, root, version)
	t := &tree{src: filepath.Join(root, "src")}
	names := []string{"../VERSION"}
	for _, p := range patchesFor(minor) {
		names = append(names, p.File)
	}
	for _, pattern := range AtomicFiles {
		names = append(names, t.match(pattern)...)
	}
	names = append(names, t.linkFiles()...)
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		info, err := os.Stat(filepath.Join(t.src, filepath.FromSlash(name)))
		if err != nil {
			fmt.Fprintf(h, "%s is missing\n", name)
			continue
		}
		fmt.Fprintf(h, "%s %d %d\n", name, info.Size(), info.ModTime().UnixNano())
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:10]), nil
}

//go:embed *.go
var own embed.FS

// ownHash identifies this build of the package, the engine and the files that are added.
var ownHash = sync.OnceValues(func() (string, error) {
	h := sha256.New()
	for _, files := range []fs.FS{own, added, rouse.Source} {
		if err := each(files, func(name, text string) { feed(h, name, text) }); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil)), nil
})

func feed(h hash.Hash, name, text string) {
	fmt.Fprintf(h, "%s %d\n", name, len(text))
	io.WriteString(h, text) //nolint:errcheck // a hash does not fail
}

const temporaryPrefix = "tmp-"

// How much of a cache stays, by the time that it was last used. A build that has begun may still
// use a young one.
const (
	keepEntries    = 8
	keepEntryFor   = 24 * time.Hour
	keepTools      = 4
	keepToolsFor   = 30 * 24 * time.Hour
	touchAfter     = time.Hour
	toolchainsName = "toolchains"
)

var entryName = regexp.MustCompile(`^(go.*-[0-9a-f]{20}|` + temporaryPrefix + `\d+)$`)

// touch notes that a folder is in use. It need not succeed: the cache may be read-only.
func touch(dir string) {
	if info, err := os.Stat(dir); err == nil && time.Since(info.ModTime()) > touchAfter {
		now := time.Now()
		os.Chtimes(dir, now, now) //nolint:errcheck // see above
	}
}

// prune removes what has not been used for long.
func (c cache) prune() {
	removeOld(c.dir, keepEntries, keepEntryFor)
	removeOld(filepath.Join(c.dir, toolchainsName), keepTools, keepToolsFor)
}

// removeOld removes folders of the cache but those that were used last.
func removeOld(dir string, keep int, keepFor time.Duration) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	var old []fs.FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err == nil && e.IsDir() && entryName.MatchString(e.Name()) {
			old = append(old, info)
		}
	}
	slices.SortFunc(old, func(a, b fs.FileInfo) int {
		return cmp.Or(b.ModTime().Compare(a.ModTime()), strings.Compare(a.Name(), b.Name()))
	})
	for _, info := range old[min(keep, len(old)):] {
		if time.Since(info.ModTime()) > keepFor {
			os.RemoveAll(filepath.Join(dir, info.Name())) //nolint:errcheck // the next time, then
		}
	}
}
