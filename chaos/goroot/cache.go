package goroot

import (
	"cmp"
	"context"
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
	"github.com/rouse-go/rouse/internal/private"
)

// A cache is a folder with a folder for each overlay that was made, named by what it was made from.
// Nothing in it is written in place: a folder gets its name by a rename when it is complete.
type cache struct{ dir string }

// Files of an overlay that are not files of GOROOT.
const (
	overlayName  = "overlay.json"
	manifestName = "manifest.json"
	sumName      = "sum.txt" // see sourceSum
)

// A manifest lists the files of an entry with their sizes, by which a torn one is detected.
type manifest map[string]int64

// entry returns the folder of the overlay for a GOROOT, and whether it was there.
func (c cache) entry(root, version, experiment string, patches []Patch) (dir string, cached bool, err error) {
	key, err := stamp(root, version, experiment, patches)
	if err != nil {
		return "", false, err
	}
	dir = filepath.Join(c.dir, version+"-"+key)
	if complete(dir) && use(dir) && complete(dir) { // it is not removed between the two
		return dir, true, nil
	}
	return dir, false, c.fill(dir, root, version, patches)
}

// fill makes an overlay.
func (c cache) fill(dir, root, version string, patches []Patch) error {
	texts, err := patched(root, version, patches)
	if err != nil {
		return err
	}
	sum, err := sourceSum(root)
	if err != nil {
		return err
	}
	more, err := additions()
	if err != nil {
		return err
	}
	for name, text := range more {
		texts[name] = relinked(name, text)
	}
	table := replacement{map[string]string{}}
	for name, text := range texts {
		texts[name] = rooted(text, root)
		name = filepath.FromSlash(name)
		table.Replace[filepath.Join(root, "src", name)] = filepath.Join(dir, name)
	}
	text, err := json.MarshalIndent(table, "", "\t")
	if err != nil {
		return err
	}
	texts[overlayName], texts[sumName] = string(text), sum
	err = c.place(dir, func() bool { return complete(dir) }, func(tmp string) error { return writeEntry(tmp, texts) })
	if err != nil {
		return err
	}
	use(dir)
	c.prune()
	return nil
}

// rooted adds to the text of a file the GOROOT that the file is for. The go command uses what it has compiled for one
// GOROOT for another one, too, if the sources are the same: it fills in the names of files when it links. But those of
// files of an overlay are compiled in, and with the names of another GOROOT they would be taken for the user's.
func rooted(text, root string) string { return fmt.Sprintf("%s\n// For %q.\n", text, root) }

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
// that have changed in the last two seconds, and knows indexed files by their size and time.
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
// first, its folder stays. An incomplete folder at the name is removed.
func (c cache) place(dir string, complete func() bool, fill func(tmp string) error) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil { // package private shares it, and wants that
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

// stamp returns a hash of what an overlay is made from, and what its self-test depends on: the GOROOT, the files of its
// standard library by size and time, the experiments, the patches, and this package with what it embeds. No file is
// read.
func stamp(root, version, experiment string, patches []Patch) (string, error) {
	own, err := ownHash()
	if err != nil {
		return "", err
	}
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%s\n%s\n%s\n", own, root, version, experiment)
	for _, p := range patches {
		fmt.Fprintf(h, "%q\n", p)
	}
	note := func(name, file string) error {
		info, err := os.Stat(file)
		if err != nil {
			return err
		}
		fmt.Fprintf(h, "%s %d %d\n", name, info.Size(), info.ModTime().UnixNano())
		return nil
	}
	if err := note("VERSION", filepath.Join(root, "VERSION")); err != nil && !errors.Is(err, fs.ErrNotExist) { // a checkout has none
		return "", err
	}
	if err := eachSource(root, note); err != nil {
		return "", err
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

// How much of a cache is kept, besides what processes use: what was used last. An entry has 5 MB, and a
// toolchain 200 MB where its files cannot be links.
const (
	keepEntries    = 8
	keepTools      = 4
	touchAfter     = time.Minute
	unfinishedFor  = 24 * time.Hour // what is being made, and where there are no locks
	toolchainsName = "toolchains"
)

// ResultsName is the folder, beside the overlays, of the results that package suite keeps.
const ResultsName = "results"

var entryName = regexp.MustCompile(`^((devel )?go.*-[0-9a-f]{20}|` + temporaryPrefix + `\d+)$`)

// used holds the folders of caches that this process uses, until it ends.
var used = struct {
	sync.Mutex
	folders map[string]*os.File
}{folders: map[string]*os.File{}}

// use keeps a folder from being removed while this process runs, and notes the time. Neither need succeed: the
// cache may be read-only. It returns false if another process is about to remove the folder.
func use(dir string) bool {
	used.Lock()
	defer used.Unlock()
	if before := used.folders[dir]; before != nil { // it may be another folder by now
		before.Close()
	}
	if f, err := os.Open(dir); err == nil {
		if errors.Is(private.Share(f), private.ErrHeld) {
			f.Close()
			delete(used.folders, dir)
			return false
		}
		used.folders[dir] = f
	}
	if info, err := os.Stat(dir); err == nil && time.Since(info.ModTime()) > touchAfter {
		now := time.Now()
		os.Chtimes(dir, now, now) //nolint:errcheck // see above
	}
	return true
}

// removeUnused removes a folder that no process uses, and reports whether it has.
func removeUnused(dir string, changed time.Time) bool {
	old := time.Since(changed) > unfinishedFor
	if strings.HasPrefix(filepath.Base(dir), temporaryPrefix) {
		return old && os.RemoveAll(dir) == nil
	}
	f, err := os.Open(dir)
	if err != nil {
		return false
	}
	defer f.Close()
	if err := private.Lock(f); errors.Is(err, private.ErrHeld) || err != nil && !old {
		return false
	}
	// Another process may make a folder of that name at once.
	gone, err := os.MkdirTemp(filepath.Dir(dir), temporaryPrefix)
	if err != nil {
		return false
	}
	err = os.Rename(dir, filepath.Join(gone, filepath.Base(dir)))
	os.RemoveAll(gone) //nolint:errcheck // or else a day later
	return err == nil
}

// prune removes the folders that were not used last.
func (c cache) prune() {
	removeOld(c.dir, keepEntries)
	removeOld(filepath.Join(c.dir, toolchainsName), keepTools)
}

// removeOld removes folders of a cache except those that were used last, and those in use. It returns how many it
// has removed, and how many of the others are in use.
func removeOld(dir string, keep int) (removed, inUse int) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return 0, 0
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
		if removeUnused(filepath.Join(dir, info.Name()), info.ModTime()) {
			removed++
		} else {
			inUse++
		}
	}
	return removed, inUse
}

// Clean removes the overlays and toolchains in the caches of stress test, except those that processes use, and the
// results. It returns the folders of the caches, and how many folders it has removed and are in use.
func Clean(ctx context.Context, o Options) (folders []string, removed, inUse int, err error) {
	e, err := environment(ctx, o)
	if err != nil {
		return nil, 0, 0, err
	}
	if folders, err = e.folders(o.Cache); err != nil {
		return nil, 0, 0, err
	}
	for _, folder := range folders {
		for _, dir := range []string{folder, filepath.Join(folder, toolchainsName)} {
			r, u := removeOld(dir, 0)
			removed, inUse = removed+r, inUse+u
		}
		results := filepath.Join(folder, ResultsName)
		if _, err := os.Lstat(results); err == nil && os.RemoveAll(results) == nil {
			removed++
		}
	}
	return folders, removed, inUse, nil
}

// Usage is what a cache of stress test takes.
type Usage struct {
	Folder     string
	Overlays   int
	Toolchains int
	Results    int   // of packages that have passed
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
		all = append(all, Usage{folder, entries(folder), entries(filepath.Join(folder, toolchainsName)), files(filepath.Join(folder, ResultsName)), Size(folder)})
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

// files counts the files in a folder.
func files(dir string) (n int) {
	all, _ := os.ReadDir(dir) // one that is not there has none
	for _, e := range all {
		if e.Type().IsRegular() {
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
