package plain

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Text returns the text with unsafe characters escaped.
func Text(text string) string {
	var s scanner
	return string(s.plain(nil, []byte(text)))
}

// Hidden escapes invisible characters, but not commands of CI runners. It is for documents.
func Hidden(text string) string {
	var b strings.Builder
	for _, r := range text {
		if hidden(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// A Writer passes on the text written to it, escaped as by Text. Several goroutines may write to it.
type Writer struct {
	mu      sync.Mutex
	to      io.Writer
	scanner scanner
	begun   []byte // the bytes of an incomplete character
}

// NewWriter returns a Writer that writes to the given writer.
func NewWriter(to io.Writer) *Writer { return &Writer{to: to} }

// Write writes p in one piece, and reports all of it or nothing as written.
func (w *Writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	text := append(w.begun, p...)
	whole := len(text)
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if tail := text[len(text)-n:]; utf8.RuneStart(tail[0]) && !utf8.FullRune(tail) {
			whole -= n
			break
		}
	}
	_, err := w.to.Write(w.scanner.plain(nil, text[:whole]))
	w.begun = append([]byte(nil), text[whole:]...)
	if err != nil {
		return 0, err
	}
	return len(p), nil
}

// Raw returns the underlying writer of a Writer, for output that is not text from elsewhere: the control
// sequences of a display, and commands to a CI runner. It returns any other writer unchanged.
func Raw(w io.Writer) io.Writer {
	if w, ok := w.(*Writer); ok {
		return w.to
	}
	return w
}

// A scanner holds the state of the current line.
type scanner struct {
	inLine bool // more than blanks have been seen
	colon  bool // the first of them, just seen, was a colon
	hashes int  // directly before, or before letters: 2 for ##
}

// plain appends the text to out.
func (s *scanner) plain(out, text []byte) []byte {
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		text = text[size:]
		colon, hashes := s.colon, s.hashes
		s.colon, s.hashes = r == ':' && !s.inLine, 0
		switch {
		case r == '\n':
			*s = scanner{}
		case r == '#':
			s.hashes = min(hashes+1, 2)
		case hashes == 2 && unicode.IsLetter(r):
			s.hashes = 2
		}
		if r != '\n' && !unicode.IsSpace(r) {
			s.inLine = true
		}
		if hidden(r) || r == ':' && colon || r == '[' && hashes == 2 {
			s.inLine = true
			out = fmt.Appendf(out, `\u%04x`, r)
		} else {
			out = utf8.AppendRune(out, r)
		}
	}
	return out
}

// hidden reports whether a terminal does something else with a character than to show it. All such
// characters have at most 16 bits.
func hidden(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r < 0x20 || r >= 0x7f && r <= 0x9f:
		return true
	}
	return r == '\u061c' || r == '\u200e' || r == '\u200f' || r >= '\u2028' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
}

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
