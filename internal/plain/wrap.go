package plain

import (
	"strings"
	"unicode/utf8"
)

// Wrap breaks a line at blanks into lines of at most the given width, where blanks allow it; 0 is no
// limit. The lines after the first begin with indent.
func Wrap(text string, width int, indent string) string {
	var b strings.Builder
	line, indented := []rune(text), 0
	for indented < len(line) && line[indented] == ' ' {
		indented++
	}
	for width > 0 && len(line) > width {
		at := width
		for at > indented && line[at] != ' ' {
			at--
		}
		if at <= indented { // no blank that would do; the next one, then
			for at = max(width, indented); at < len(line) && line[at] != ' '; {
				at++
			}
		}
		if at >= len(line) {
			break
		}
		b.WriteString(strings.TrimRight(string(line[:at]), " ") + "\n")
		line = []rune(indent + strings.TrimLeft(string(line[at:]), " "))
		indented = utf8.RuneCountInString(indent)
	}
	return b.String() + string(line)
}
