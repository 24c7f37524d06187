package recording

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// version is the version of the format.
const version = 2

// The lines that frame a recording, and the fields between them.
const (
	title    = "rouse recording "
	kindLine = "kind: "
	end      = "end"
	checksum = end + " sha256 "
	indent   = "  " // of the lines of a block
)

// mostBlock is how many lines of a dump are kept: the first and the last half.
const mostBlock = 20_000

// String returns the text of the recording. What does not print is escaped, except in Setup.
func (r *Recording) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s%d\n%s%s\n", title, version, kindLine, r.Kind)
	for _, f := range fields {
		if !f.isOf(r.Kind) {
			continue
		}
		value := f.write(r)
		switch {
		case f.block && (value != "" || f.needed):
			b.WriteString(f.name + ":\n")
			writeBlock(&b, f.name, value)
		case !f.block && (value != "" || f.needed):
			b.WriteString(f.name + ": " + oneLine(value) + "\n")
		}
	}
	b.WriteString(endLine(b.String()))
	return b.String()
}

func writeBlock(b *strings.Builder, name, value string) {
	if name != "setup" {
		value = strings.Trim(value, "\n")
	}
	if value == "" {
		return
	}
	lines := strings.Split(value, "\n")
	if over := len(lines) - mostBlock; over > 0 && name != "schedule" && name != "found" && name != "setup" {
		lines = slices.Replace(lines, mostBlock/2, mostBlock/2+over, fmt.Sprintf("... %d lines left out ...", over))
	}
	for _, l := range lines {
		if name != "setup" {
			l = printable(l)
		}
		if l != "" {
			b.WriteString(indent + l)
		}
		b.WriteByte('\n')
	}
}

// endLine returns the last line of a recording with that text.
func endLine(text string) string {
	return fmt.Sprintf("%s%x\n", checksum, sha256.Sum256([]byte(text)))
}

// oneLine makes one line of a text.
func oneLine(s string) string { return printable(strings.Join(strings.Fields(s), " ")) }

// printable escapes what does not print.
func printable(line string) string {
	if strings.IndexFunc(line, func(r rune) bool { return r == utf8.RuneError || r != '\t' && !unicode.IsPrint(r) }) < 0 {
		return line
	}
	var b strings.Builder
	for len(line) > 0 {
		r, size := utf8.DecodeRuneInString(line)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, line[0])
		case r != '\t' && !unicode.IsPrint(r):
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		default:
			b.WriteString(line[:size])
		}
		line = line[size:]
	}
	return b.String()
}
