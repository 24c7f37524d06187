package plain

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

var command = regexp.MustCompile(`(?m)^[\s\p{Z}]*::|##\pL*\[`)

// Catches: a character that a terminal obeys, a command of a CI runner, text that is plain and changed, and writes whose
// cuts can be seen.
func FuzzText(f *testing.F) {
	for text := range texts {
		f.Add(text, len(text)/2)
	}
	f.Fuzz(func(t *testing.T, text string, cut int) {
		got := Text(text)
		if strings.ContainsFunc(got, hidden) || !utf8.ValidString(got) || command.MatchString(got) {
			t.Fatalf("%q is %q", text, got)
		}
		if Text(got) != got {
			t.Fatalf("%q is %q, and that %q", text, got, Text(got))
		}
		if h := Hidden(text); strings.ContainsFunc(h, hidden) || Hidden(h) != h {
			t.Fatalf("%q without what is hidden is %q", text, h)
		}
		if !utf8.ValidString(text) {
			return // its end may yet become a character
		}
		var out bytes.Buffer
		w := NewWriter(&out)
		cut = min(max(cut, 0), len(text))
		for _, part := range []string{text[:cut], text[cut:]} {
			if n, err := w.Write([]byte(part)); n != len(part) || err != nil {
				t.Fatal(n, err)
			}
		}
		if out.String() != got {
			t.Fatalf("%q, cut at %d, is %q, want %q", text, cut, out.String(), got)
		}
		line, err := json.Marshal(text)
		var back string
		if err != nil || json.Unmarshal([]byte(Text(string(line))), &back) != nil || back != text {
			t.Fatalf("%q becomes %q in JSON", text, back)
		}
	})
}

// Catches: a word that is lost, and a line that is too wide although a blank would have allowed a break.
func FuzzWrap(f *testing.F) {
	f.Add("    indented text", 12, "  ")
	f.Add("a    b \u00fc\u00fc", 3, "")
	f.Add("undivided x", 0, "    ")
	f.Add(" ", 1, " ")
	f.Fuzz(func(t *testing.T, text string, width int, indent string) {
		text = strings.ToValidUTF8(text, "")
		if strings.ContainsAny(text, "\n") || strings.Trim(indent, " ") != "" {
			return // a line, and blanks before the next
		}
		got := Wrap(text, width, indent)
		if bare := func(s string) string { return strings.NewReplacer(" ", "", "\n", "").Replace(s) }; bare(got) != bare(text) {
			t.Fatalf("%q is %q", text, got)
		}
		if width <= 0 {
			if got != text {
				t.Fatalf("%q without a width is %q", text, got)
			}
			return
		}
		for line := range strings.SplitSeq(got, "\n") {
			if utf8.RuneCountInString(line) > width && strings.Contains(strings.Trim(line, " "), " ") {
				words := strings.Trim(line, " ")
				if first := strings.Index(words, " "); utf8.RuneCountInString(line[:strings.Index(line, words)+first]) <= width {
					t.Fatalf("%q has the line %q, wider than %d", got, line, width)
				}
			}
		}
	})
}
