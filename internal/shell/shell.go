package shell

import (
	"regexp"
	"strings"
)

// plain matches words that mean the same to every POSIX shell with and without quotes. It does not match
// an assignment, NAME=value.
var plain = regexp.MustCompile(`^(?:[A-Za-z0-9/._,:@%+-]+|[/.,:@%+-][A-Za-z0-9/._,:@%+=-]*)$`)

// Quote quotes the word for a POSIX shell. A word with a NUL byte cannot be passed to any program;
// Quote removes the byte.
func Quote(word string) string {
	if plain.MatchString(word) {
		return word
	}
	word = strings.ReplaceAll(word, "\x00", "")
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// Command returns a command line of the words, each quoted.
func Command(words ...string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = Quote(w)
	}
	return strings.Join(quoted, " ")
}

// File returns the name of a file as an argument that no program mistakes for a flag or for
// standard input.
func File(name string) string {
	if strings.HasPrefix(name, "-") {
		return "./" + name
	}
	return name
}
