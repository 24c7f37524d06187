package corpus

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/rouse-go/rouse/internal/yamltree"
)

// file is the name of a set's table.
const file = "bugs.yaml"

var (
	setKeys = []string{"about", "source", "bugs"}
	bugKeys = []string{"name", "package", "test", "fixed", "kind", "verdict", "args", "how", "executions", "what", "missed",
		"module", "broken", "fixed-version", "unfixed", "issue"}
	releasedKeys = []string{"module", "broken", "issue"} // all three or none of them
)

// read reads the table in a folder of root.
func read(root, dir string) (*Set, error) {
	text, err := os.ReadFile(filepath.Join(root, dir, file))
	if err != nil {
		return nil, err
	}
	s := &Set{Name: path.Base(dir), Dir: dir}
	if up := path.Dir(dir); up != "programs" && up != "." {
		s.Name = up
	}
	r, node, err := yamltree.Read(yamltree.Source{File: path.Join(dir, file), Text: text})
	if err != nil {
		return nil, err
	}
	fields := r.Fields(node, "a set", setKeys)
	fields.Need(setKeys...)
	if r.Err == nil {
		s.About, s.Source = r.Text(fields.Value("about"), "about"), r.Text(fields.Value("source"), "source")
		for _, n := range r.Elements(fields.Value("bugs"), "bugs") {
			if b := s.bug(r, n); b != nil {
				s.Bugs = append(s.Bugs, b)
			}
		}
	}
	if r.Err != nil {
		return nil, r.Err
	}
	return s, nil
}

// bug reads an entry. Without an error it is valid on its own: the tests may still not exist.
func (s *Set) bug(r *yamltree.Reader, n yamltree.Node) *Bug {
	f := r.Fields(n, "a bug", bugKeys)
	f.Need("name", "test", "what")
	if r.Err != nil {
		return nil
	}
	b := &Bug{Set: s, Package: ".", How: HowTest}
	b.Line, _ = r.Place(n)
	texts := map[string]*string{"name": &b.Name, "package": &b.Package, "test": &b.Test, "fixed": &b.Fixed, "what": &b.What, "missed": &b.Missed,
		"module": &b.Module, "broken": &b.Broken, "fixed-version": &b.FixedVersion, "issue": &b.Issue}
	for _, key := range bugKeys {
		v, ok := f.Get(key)
		if into := texts[key]; ok && into != nil {
			if *into = v.Text(); strings.TrimSpace(*into) == "" {
				v.Fail("%s: found nothing, want text", key)
			}
		}
	}
	word := func(key string, of []string) (word string) {
		v, ok := f.Get(key)
		if !ok {
			return ""
		}
		if word = v.Text(); !slices.Contains(of, word) {
			v.Fail("%s: unknown word %q; %s", key, nearest.Clip(word), nearest.Hint(word, of))
		}
		return word
	}
	if b.How = word("how", []string{HowTest, HowExplore}); b.How == "" {
		b.How = HowTest
	}
	b.Kind = word("kind", Kinds)
	b.verdicts(f)
	if v, ok := f.Get("args"); ok {
		b.Args = v.Texts()
	}
	if v, ok := f.Get("executions"); ok {
		b.Executions = int(v.Number(1, 1_000_000))
	}
	unfixed := false
	if v, ok := f.Get("unfixed"); ok {
		if unfixed = v.Written() == "true"; !unfixed {
			v.Fail("unfixed: found %s, want true, or no such key", nearest.Clip(v.Written()))
		}
	}
	b.whole(r, n, f, unfixed)
	return b
}

func (b *Bug) verdicts(f *yamltree.Fields) {
	v, ok := f.Get("verdict")
	if !ok {
		return
	}
	var all []string
	for _, v := range verdict.All() {
		all = append(all, string(v))
	}
	for i, word := range v.Texts() {
		if !slices.Contains(all, word) {
			v.FailElement(i, "verdict: unknown word %q; %s", nearest.Clip(word), nearest.Hint(word, all))
		}
		b.Verdicts = append(b.Verdicts, verdict.Verdict(word))
	}
}

// whole reports an error if keys are missing, or are not for a bug of this set.
func (b *Bug) whole(r *yamltree.Reader, n yamltree.Node, f *yamltree.Fields, unfixed bool) {
	expectsPass := slices.Equal(b.Verdicts, []verdict.Verdict{verdict.Pass})
	f.Need("verdict")
	if !expectsPass {
		f.Need("kind")
	}
	released := b.Set.Name == "released" || b.Set.Name == "hunt"
	if released {
		f.Need(releasedKeys[:2]...)
	}
	switch {
	case r.Err != nil:
	case b.Set.Name != "hunt" && slices.Contains(b.Verdicts, verdict.Pass):
		r.Fail(n, "only a driver of hunt may expect the verdict pass")
	case released && b.Fixed != "":
		r.Fail(n, "fixed is the twin of a program; of a library it is fixed-version")
	case !released && (b.Module != "" || b.Broken != "" || b.FixedVersion != "" || unfixed):
		r.Fail(n, "module, broken, fixed-version and unfixed are for a released library, in the folder released or hunt")
	case b.Set.Name == "released" && b.Issue == "":
		r.Fail(n, "a bug lacks the key %q", "issue")
	case b.Set.Name == "released" && unfixed == (b.FixedVersion != ""):
		r.Fail(n, "want either fixed-version or unfixed: true")
	}
}
