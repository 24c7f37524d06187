package shell_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/internal/shell"
)

// unquoted reads a command line as a POSIX shell does that knows single quotes and backslashes only. It reports false
// if a character that means something to a shell is not quoted.
func unquoted(line string) (words []string, ok bool) {
	const harmless = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._,:@%+-="
	var word strings.Builder
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == ' ':
			words = append(words, word.String())
			word.Reset()
		case c == '\'':
			n := strings.IndexByte(line[i+1:], '\'')
			if n < 0 {
				return nil, false
			}
			word.WriteString(line[i+1 : i+1+n])
			i += n + 1
		case c == '\\' && i+1 < len(line) && line[i+1] == '\'':
			word.WriteByte('\'')
			i++
		case strings.IndexByte(harmless, c) >= 0:
			word.WriteByte(c)
		default:
			return nil, false
		}
	}
	return append(words, word.String()), true
}

// Catches: a word that a shell takes apart, changes or runs.
func FuzzCommand(f *testing.F) {
	for i, word := range hostile {
		f.Add(word, hostile[len(hostile)-1-i])
	}
	f.Add("A=b", "it's")
	f.Fuzz(func(t *testing.T, a, b string) {
		want := []string{"printf", `%s\000`, strings.ReplaceAll(a, "\x00", ""), strings.ReplaceAll(b, "\x00", "")}
		line := shell.Command("printf", `%s\000`, a, b)
		if got, ok := unquoted(line); !ok || !slices.Equal(got, want) {
			t.Fatalf("%s is %q, want %q", line, got, want)
		}
		if first := shell.Command(a); strings.HasPrefix(first, "'") == strings.HasPrefix(a, "'") && strings.Contains(strings.SplitN(first, "'", 2)[0], "=") && !strings.ContainsAny(first[:1], "/.,:@%+-") {
			t.Fatalf("%s is an assignment", first)
		}
		if name := shell.File(a); strings.HasPrefix(name, "-") || !strings.HasSuffix(name, a) {
			t.Fatalf("the file %q is written %q", a, name)
		}
		if len(a)+len(b) > 1<<16 {
			return // more than a system may take as an argument
		}
		out, err := exec.Command("sh", "-c", line).Output()
		if got := strings.Split(string(out), "\x00"); err != nil || !slices.Equal(got, append(want[2:], "")) {
			t.Fatalf("%s: the shell passed %q, want %q: %v", line, got, want[2:], err)
		}
	})
}
