package page

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/rouse-go/rouse/chaos/explain"
)

// tagsOf returns the elements of a document with the names of their attributes: all that text must not change.
func tagsOf(document string) string {
	var b strings.Builder
	for {
		_, rest, found := strings.Cut(document, "<")
		if !found {
			return b.String()
		}
		quote := byte(0)
		i := 0
		for ; i < len(rest) && (quote != 0 || rest[i] != '>'); i++ {
			switch c := rest[i]; {
			case c == quote:
				quote = 0
			case quote != 0:
			case c == '"' || c == '\'':
				quote = c
			default:
				b.WriteByte(c)
			}
		}
		b.WriteByte('\n')
		document = rest[i:]
	}
}

// dataOf returns the data of a page, and the page without them.
func dataOf(t *testing.T, page string) (data, rest string) {
	t.Helper()
	before, after, ok := strings.Cut(page, `id="data">`)
	data, after, ends := strings.Cut(after, "</script>")
	if !ok || !ends {
		t.Fatalf("the page has no data:\n%s", page)
	}
	return data, before + after
}

// calm is a text as long as another, with the same lines and blanks, that means nothing.
func calm(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return r
		}
		return 'x'
	}, text)
}

// Catches: text that makes an element or an attribute of a page, characters of it that cannot be seen, and data that do not
// arrive as they are.
func FuzzWrite(f *testing.F) {
	for _, text := range []string{"", "x", hostile, "<", "&", "'\"><b a=`", "-->", "]]>", "\x00\x1b[31m\u202e\xff", "{{.}}", "\\u003c/script>", "[1]", "[99999999999999999999]", "; passes [1]", "a\nb  c", " (x"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		page := written(t, lost(text))
		data, rest := dataOf(t, page)
		_, want := dataOf(t, written(t, lost(calm(text))))
		if tagsOf(rest) != tagsOf(want) {
			t.Fatalf("%q changes the page:\n%s", text, page)
		}
		if strings.ContainsFunc(page, func(r rune) bool { return r != '\n' && r != '\t' && unicode.IsControl(r) }) || !utf8.ValidString(page) {
			t.Fatalf("%q: the page has characters that cannot be seen:\n%q", text, page)
		}
		if strings.Contains(data, "<") {
			t.Fatalf("%q: the data have an element:\n%s", text, page)
		}
		var lines explain.Timelines
		if err := json.Unmarshal([]byte(data), &lines); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if got, want := lines.Minimal.Steps[0].Text, "begin"+strings.ToValidUTF8(text, "\ufffd"); utf8.ValidString(text) && got != want {
			t.Fatalf("got %q, want %q", got, want)
		}
	})
}
