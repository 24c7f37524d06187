package goroot

import (
	"fmt"
	"go/scanner"
	"go/token"
	"go/version"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A Patch inserts a text next to a line of a file below GOROOT/src, or instead of the line. No text
// contains a line break or a comment: what is inserted joins the line that it is inserted at.
type Patch struct {
	File   string // below GOROOT/src
	In     string // prefix of the line that begins the declaration
	Where  Where
	Anchor string // the line, blanks normalised, once in the declaration; "" is its first line
	Text   string
	Why    string
	Since  string // the first minor version that the patch is for, as "1.27"; "" is the oldest
	Until  string // the last one; "" means every later one
}

// Where says where the text goes.
type Where string

// Where a text goes.
const (
	Before  Where = "before"
	After   Where = "after"
	Replace Where = "replace"
)

// before inserts a text before the anchor.
func before(file, in, anchor, text, why string) Patch {
	return Patch{File: file, In: in, Where: Before, Anchor: anchor, Text: text, Why: why}
}

// after inserts a text after the anchor.
func after(file, in, anchor, text, why string) Patch {
	return Patch{File: file, In: in, Where: After, Anchor: anchor, Text: text, Why: why}
}

// replace puts a text in the anchor's place.
func replace(file, in, anchor, text, why string) Patch {
	return Patch{File: file, In: in, Where: Replace, Anchor: anchor, Text: text, Why: why}
}

// begin inserts a text at the beginning of a declaration's body.
func begin(file, in, text, why string) Patch {
	return Patch{File: file, In: in, Where: After, Text: text, Why: why}
}

// since restricts a patch to a minor version of Go and those after it.
func (p Patch) since(minor string) Patch {
	p.Since = minor
	return p
}

// until restricts a patch to a minor version of Go and those before it.
func (p Patch) until(minor string) Patch {
	p.Until = minor
	return p
}

// For reports whether a patch is for a minor version.
func (p Patch) For(minor string) bool {
	return (p.Since == "" || !older(minor, p.Since)) && (p.Until == "" || !older(p.Until, minor))
}

// older reports whether a minor version comes before another.
func older(minor, than string) bool { return version.Compare("go"+minor, "go"+than) < 0 }

// Names returns the names of the patches for a minor version, in the order of the lists: the file, the
// declaration and the anchor. They do not change if the lists grow.
func Names(minor string) (names []string) {
	times := map[string]int{}
	for _, p := range patchesFor(minor) {
		name := p.File + ": " + strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(p.In, "func "), "("))
		if p.Anchor != "" {
			name += ": " + string(p.Where) + " " + normal(p.Anchor)
		}
		if times[name]++; times[name] > 1 {
			name += fmt.Sprintf(" (%d)", times[name])
		}
		names = append(names, name)
	}
	return names
}

// Patches returns the patches of every Go version, in the order of the lists. The functions of
// sync/atomic are not among them: see [AtomicFiles].
func Patches() []Patch {
	return slices.Concat(scheduler, channels, syncs, timers, chance, ends, testings, world)
}

// patchesFor returns the patches for a minor version.
func patchesFor(minor string) []Patch {
	return slices.DeleteFunc(Patches(), func(p Patch) bool { return !p.For(minor) })
}

// A file is a file of GOROOT while it is patched.
type file struct {
	name    string
	lines   []string // as they were
	edits   map[int]*edit
	imports []string // to add
}

// An edit holds the changes to one line.
type edit struct {
	before, after []string
	replace       *string
}

func newFile(name, text string) *file {
	return &file{name: name, lines: strings.Split(text, "\n"), edits: map[int]*edit{}}
}

// apply records a patch, or returns why its anchor does not match.
func (f *file) apply(p Patch) error {
	begin, end, err := f.declaration(p.In)
	if err != nil {
		return err
	}
	at := begin
	if p.Anchor != "" {
		if at, err = f.anchor(begin, end, p); err != nil {
			return err
		}
	} else if !strings.HasSuffix(strings.TrimSpace(f.lines[begin]), "{") {
		return fmt.Errorf("%s: %q is not a line that ends with {", f.name, p.In)
	}
	e := f.edit(at)
	switch p.Where {
	case Before:
		e.before = append(e.before, p.Text)
	case After:
		e.after = append(e.after, p.Text)
	case Replace:
		if e.replace != nil {
			return fmt.Errorf("%s: %s: %q is replaced twice", f.name, p.In, p.Anchor)
		}
		e.replace = &p.Text
	}
	f.need(p.Text)
	return nil
}

// declaration returns the first line of the declaration that begins with a prefix, and the line
// after its last.
func (f *file) declaration(in string) (begin, end int, err error) {
	begin = -1
	for i, l := range f.lines {
		switch {
		case !strings.HasPrefix(l, in):
		case begin >= 0:
			return 0, 0, fmt.Errorf("%s: %q is there twice", f.name, in)
		default:
			begin = i
		}
	}
	if begin < 0 {
		return 0, 0, fmt.Errorf("%s: no %q", f.name, in)
	}
	end = begin + 1
	for end < len(f.lines) && !strings.HasPrefix(f.lines[end], "}") {
		end++
	}
	return begin, end, nil
}

// anchor returns the line of a patch within a declaration.
func (f *file) anchor(begin, end int, p Patch) (int, error) {
	want := normal(p.Anchor)
	var at []int
	for i := begin; i < end; i++ {
		if normal(f.lines[i]) == want {
			at = append(at, i)
		}
	}
	if len(at) != 1 {
		return 0, fmt.Errorf("%s: %s: %d times %q, want 1", f.name, p.In, len(at), p.Anchor)
	}
	return at[0], nil
}

func (f *file) edit(line int) *edit {
	e := f.edits[line]
	if e == nil {
		e = new(edit)
		f.edits[line] = e
	}
	return e
}

// Packages that the texts of patches name.
var named = []struct {
	name *regexp.Regexp
	path string
}{
	{regexp.MustCompile(`(^|[^.\w])rouse\.`), "internal/rouse"},
	{regexp.MustCompile(`(^|[^.\w])unsafe\.`), "unsafe"},
}

// need adds the imports that a text names and the file lacks.
func (f *file) need(text string) {
	for _, n := range named {
		if n.name.MatchString(text) && !slices.Contains(f.imports, n.path) && !f.has("\t\""+n.path+"\"") && !f.has("import \""+n.path+"\"") {
			f.imports = append(f.imports, n.path)
		}
	}
}

// has reports whether a line of the file begins with a text.
func (f *file) has(text string) bool {
	return slices.ContainsFunc(f.lines, func(l string) bool { return strings.HasPrefix(l, text) })
}

// text returns the file with all edits, and as many lines as it had.
func (f *file) text() (string, error) {
	if len(f.imports) > 0 {
		clause := slices.IndexFunc(f.lines, func(l string) bool { return strings.HasPrefix(l, "package ") })
		if clause < 0 {
			return "", fmt.Errorf("%s: no package clause", f.name)
		}
		for _, path := range f.imports {
			e := f.edit(clause)
			e.after = append(e.after, "import \""+path+"\"")
		}
	}
	lines := slices.Clone(f.lines)
	for i, e := range f.edits {
		lines[i] = e.line(lines[i])
	}
	return strings.Join(lines, "\n"), nil
}

// line returns the line that replaces one.
func (e *edit) line(was string) string {
	code, comment := was, ""
	if e.replace != nil {
		code = *e.replace
	} else if n := len(e.after); n > 0 {
		code, comment = cut(was)
	}
	all := append(slices.Clone(e.before), code)
	for _, text := range e.after {
		// A semicolon may not follow the brace that begins a struct type.
		if last := &all[len(all)-1]; strings.HasSuffix(strings.TrimSpace(*last), "{") {
			*last += " " + text
		} else {
			all = append(all, text)
		}
	}
	return strings.Join(all, "; ") + comment
}

// cut cuts a line of Go before the comment that ends it.
func cut(line string) (code, comment string) {
	var s scanner.Scanner
	fset := token.NewFileSet()
	f := fset.AddFile("", -1, len(line))
	s.Init(f, []byte(line), func(token.Position, string) {}, scanner.ScanComments)
	for {
		pos, tok, text := s.Scan()
		switch {
		case tok == token.EOF:
			return line, ""
		case tok == token.COMMENT && strings.HasPrefix(text, "//"):
			at := f.Offset(pos)
			code = strings.TrimRight(line[:at], " \t")
			return code, " " + line[at:]
		}
	}
}

var blanks = regexp.MustCompile(`\s+`)

func normal(s string) string { return strings.TrimSpace(blanks.ReplaceAllString(s, " ")) }

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
