package plain

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var texts = map[string]string{
	"plain ü 😀\n\ta: b :: c # ## [x]\n": "plain ü 😀\n\ta: b :: c # ## [x]\n",
	"\x1b[31mred\a\r\x7f\x00":           `\u001b[31mred\u0007\u000d\u007f\u0000`,
	"\u009b31m\u202ea\u2066b\u200f":     `\u009b31m\u202ea\u2066b\u200f`,
	"a\u2028b\u061c":                    `a\u2028b\u061c`,
	"::error::x\n::b":                   ":\\u003aerror::x\n:\\u003ab",
	" \t\u00a0::error::x":               " \t\u00a0:\\u003aerror::x",
	"\r::error":                         `\u000d::error`,
	":\n:a :b":                          ":\n:a :b",
	":::":                               `:\u003a:`,
	"a ##[error]b ##vso[x] ##teamcity[": `a ##\u005berror]b ##vso\u005bx] ##teamcity\u005b`,
	"###[x] # #[y] ##1[z]":              `###\u005bx] # #[y] ##1[z]`,
	"\xff\xc3":                          "\ufffd\ufffd",
	"section_start:1:a\r\x1b[0K":        `section_start:1:a\u000d\u001b[0K`,
}

func TestText(t *testing.T) {
	for text, want := range texts {
		if got := Text(text); got != want || Text(got) != got {
			t.Errorf("%q: %q, want %q; again %q", text, got, want, Text(got))
		}
	}
}

// However the text is cut into writes, the same comes out.
func TestWriter(t *testing.T) {
	for text, want := range texts {
		if !strings.HasSuffix(text, "\xc3") { // it may yet become a character
			for cut := range len(text) + 1 {
				var out bytes.Buffer
				w := NewWriter(&out)
				for _, part := range []string{text[:cut], text[cut:]} {
					if n, err := w.Write([]byte(part)); n != len(part) || err != nil {
						t.Fatal(n, err)
					}
				}
				if got := out.String(); got != want {
					t.Errorf("%q cut at %d: %q, want %q", text, cut, got, want)
				}
				if Raw(w) != &out || Raw(&out) != &out {
					t.Error("not what it writes to")
				}
			}
		}
	}
}

// JSON stays JSON that says the same.
func TestJSON(t *testing.T) {
	for text := range texts {
		line, err := json.Marshal(map[string]any{text: []any{text, `\` + text}})
		if err != nil {
			t.Fatal(err)
		}
		var before, after any
		if json.Unmarshal(line, &before) != nil || json.Unmarshal([]byte(Text(string(line))), &after) != nil {
			t.Fatalf("%s", Text(string(line)))
		}
		x, _ := json.Marshal(before)
		if y, _ := json.Marshal(after); !bytes.Equal(x, y) {
			t.Errorf("%s, want %s", y, x)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{
		{"a bc def", 0, "a bc def"},
		{"a bc def", 8, "a bc def"},
		{"a bc def", 7, "a bc\n  def"},
		{"a bc def", 4, "a bc\n  def"},
		{"a bc def", 1, "a\n  bc\n  def"},
		{"    indented text", 12, "    indented\n  text"},
		{"undivided", 3, "undivided"},
		{"undivided x", 3, "undivided\n  x"},
		{"\u00fc\u00fc \u00fc\u00fc", 5, "\u00fc\u00fc \u00fc\u00fc"},
		{"a    b", 3, "a\n  b"},
		{"", 1, ""},
	} {
		if got := Wrap(c.text, c.width, "  "); got != c.want {
			t.Errorf("Wrap(%q, %d) = %q, want %q", c.text, c.width, got, c.want)
		}
	}
}

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
