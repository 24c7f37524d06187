package shell

import (
	"regexp"
	"strings"
)

// plain are words that mean the same to every POSIX shell with and without quotes. An assignment,
// NAME=value, is none of them.
var plain = regexp.MustCompile(`^(?:[A-Za-z0-9/._,:@%+-]+|[/.,:@%+-][A-Za-z0-9/._,:@%+=-]*)$`)

// Quote returns the word as a POSIX shell reads it. A word with a NUL byte can be passed to no
// program; Quote leaves the byte out.
func Quote(word string) string {
	if plain.MatchString(word) {
		return word
	}
	word = strings.ReplaceAll(word, "\x00", "")
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// Command returns a command line of these words, each quoted.
func Command(words ...string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = Quote(w)
	}
	return strings.Join(quoted, " ")
}

// File returns the name of a file as an argument that no program takes for a flag, or for
// standard input.
func File(name string) string {
	if strings.HasPrefix(name, "-") {
		return "./" + name
	}
	return name
}
