package goroot

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A tree is a GOROOT/src while it is patched.
type tree struct {
	src     string
	files   map[string]*file
	missing []string // anchors that are not as they were
}

// patched returns the files of a GOROOT with the patches applied, those that are generated from them, and a hash
// of the files as they were.
func patched(root, version string, patches []Patch) (texts map[string]string, err error) {
	t := &tree{src: filepath.Join(root, "src"), files: map[string]*file{}}
	for _, p := range patches {
		if f := t.file(p.File); f != nil {
			if err := f.apply(p); err != nil {
				t.missing = append(t.missing, err.Error())
			}
		}
	}
	texts = map[string]string{"sync/atomic/rouse.go": t.atomics(), "runtime/rouse_waits.go": t.waitsOf()}
	for name, f := range t.files {
		if f == nil {
			continue
		}
		text, err := f.text()
		if err != nil {
			t.missing = append(t.missing, err.Error())
		}
		texts[name] = text
	}
	t.linknames(texts)
	if len(t.missing) > 0 {
		slices.Sort(t.missing)
		return nil, &AnchorError{Version: version, Root: root, Missing: t.missing}
	}
	return texts, nil
}

// file returns a file by its path below src, or nil if there is none.
func (t *tree) file(name string) *file {
	if f, ok := t.files[name]; ok {
		return f
	}
	text, err := os.ReadFile(filepath.Join(t.src, filepath.FromSlash(name)))
	if err != nil {
		t.missing = append(t.missing, err.Error())
		t.files[name] = nil
		return nil
	}
	t.files[name] = newFile(name, string(text))
	return t.files[name]
}

// match returns the files that a pattern matches, or the pattern if it is a name.
func (t *tree) match(pattern string) []string {
	if !strings.Contains(pattern, "*") {
		return []string{pattern}
	}
	entries, err := os.ReadDir(filepath.Join(t.src, filepath.FromSlash(path.Dir(pattern))))
	if err != nil {
		t.missing = append(t.missing, err.Error())
	}
	var names []string
	for _, e := range entries {
		name := path.Join(path.Dir(pattern), e.Name())
		if ok, _ := path.Match(pattern, name); ok {
			names = append(names, name)
		}
	}
	return names
}
