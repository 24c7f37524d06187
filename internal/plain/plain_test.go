package plain

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

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
