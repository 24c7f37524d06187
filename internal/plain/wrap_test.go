package plain

import "testing"

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
