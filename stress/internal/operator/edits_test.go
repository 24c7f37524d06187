package operator

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bluekeyes/go-gitdiff/gitdiff"
)

// applied is the text with a unified diff applied by another program's rules.
func applied(t *testing.T, source []byte, diff string) []byte {
	t.Helper()
	files, _, err := gitdiff.Parse(strings.NewReader(diff))
	if err != nil || len(files) != 1 {
		t.Fatalf("%v: %d files in\n%s", err, len(files), diff)
	}
	var text bytes.Buffer
	if err := gitdiff.Apply(&text, bytes.NewReader(source), files[0]); err != nil {
		t.Fatalf("%v\n%s", err, diff)
	}
	return text.Bytes()
}

// Catches: a diff that is not the change, of every mutant of the corpus.
func TestDiffs(t *testing.T) {
	names, err := filepath.Glob("testdata/*")
	if err != nil || len(names) == 0 {
		t.Fatal(err)
	}
	for _, name := range names {
		if filepath.Base(name) == "fuzz" {
			continue
		}
		for _, m := range Find(load(t, ".", "./"+filepath.ToSlash(name))[0]) {
			source, err := os.ReadFile(m.File)
			if err != nil {
				t.Fatal(err)
			}
			if diff := m.Diff(source, "x.go"); !bytes.Equal(applied(t, source, diff), m.Apply(source)) {
				t.Errorf("%s: the diff is not the change:\n%s", m.ID(), diff)
			}
		}
	}
}

// FuzzApply makes edits of random numbers: Apply must do what replacing from the end does, and the
// diff must make the same text.
func FuzzApply(f *testing.F) {
	f.Add([]byte("a\nb\nc\n"), []byte{0, 1, 2, 3}, "new\n")
	f.Add([]byte("a\nb\r\n\nlast line"), []byte{2, 0, 3, 3, 9, 2}, "x")
	f.Add([]byte(strings.Repeat("line\n", 30)), []byte{0, 5, 9, 4, 90, 0, 3, 10}, "")
	f.Add([]byte(""), []byte{0, 0}, "only")
	f.Add([]byte("\n\n"), []byte{1, 0, 0, 1}, "\n")
	f.Fuzz(func(t *testing.T, source, numbers []byte, text string) {
		if strings.ContainsAny(string(source)+text, "\x00") {
			return // gitdiff takes it for binary
		}
		var edits []Edit
		at := 0
		for i := 0; i+1 < len(numbers) && at <= len(source); i += 2 {
			start := min(at+int(numbers[i]), len(source))
			end := min(start+int(numbers[i+1]), len(source))
			edits = append(edits, Edit{start, end, text[:min(i, len(text))]})
			at = end
		}
		want := slices.Clone(source)
		for _, e := range slices.Backward(edits) {
			want = slices.Concat(want[:e.Start], []byte(e.New), want[e.End:])
		}
		m := Mutant{Edits: edits}
		got := m.Apply(source)
		if !bytes.Equal(got, want) {
			t.Fatalf("got %q, want %q", got, want)
		}
		diff := m.Diff(source, "x.go")
		if bytes.Equal(source, want) {
			if diff != "" {
				t.Fatalf("the diff of nothing is %q", diff)
			}
			return
		}
		if !bytes.Equal(applied(t, source, diff), want) {
			t.Fatalf("of %q the diff makes %q, not %q:\n%s", source, applied(t, source, diff), want, diff)
		}
		for i := range want {
			at, ok := original(edits, i)
			if ok && source[at] != want[i] {
				t.Fatalf("offset %d of %q is not %d of %q", i, want, at, source)
			}
		}
	})
}
