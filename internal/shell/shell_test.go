package shell_test

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
	"go.uber.org/goleak"

	"github.com/rouse-go/rouse/internal/proptest"
	"github.com/rouse-go/rouse/internal/shell"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(proptest.Main(m)) }

func TestQuote(t *testing.T) {
	for word, want := range map[string]string{
		"out/a-1.rouse": "out/a-1.rouse", "-chaos.replay=a/b.rouse": "-chaos.replay=a/b.rouse", "": "''",
		"my out": "'my out'", "it's": `'it'\''s'`, "$x": "'$x'", "ü": "'ü'", "A=b": "'A=b'", "=ls": "'=ls'", "~": "'~'", "a\x00b": "'ab'",
	} {
		if got := shell.Quote(word); got != want {
			t.Errorf("Quote(%q) = %s, want %s", word, got, want)
		}
	}
}

func TestFile(t *testing.T) {
	for name, want := range map[string]string{"-x": "./-x", "-": "./-", "x": "x", "./-x": "./-x", "": ""} {
		if got := shell.File(name); got != want {
			t.Errorf("File(%q) = %q, want %q", name, got, want)
		}
	}
}

// hostile are texts that a shell does something with if they are not quoted.
var hostile = []string{
	"$(echo ran)", "`echo ran`", "${HOME}", "$HOME", "~", "~root", "*", "?", "[a-z]", "{a,b}", ";", "&", "|", "<x", ">x", "(", ")", "!", "!!", "#", "=",
	"A=b", "\\", "\\n", "'", "''", "'\\''", `"`, " ", "\t", "\n", "\r", "\x1b[31m", "\x7f", "\u202e", "\xff", "-n", "--", "%s", "a b", "if", "then", "ü", "",
}

// What a shell makes of a command's words are the words.
func TestCommandGivesBackItsWords(t *testing.T) {
	word := gen.SliceOf(gen.OneGenOf(gen.OneConstOf(asAny(hostile)...), gen.AnyString())).Map(func(parts []string) string {
		return strings.ReplaceAll(strings.Join(parts, ""), "\x00", "")
	})
	proptest.Check(t, 300, 8, prop.ForAll(func(words []string) string {
		if len(words) == 0 {
			return ""
		}
		script := `for word in "$@"; do printf '%s\000' "$word"; done`
		line := shell.Command(append([]string{"sh", "-c", script, "sh"}, words...)...)
		out, err := exec.Command("sh", "-c", line).Output()
		if err != nil {
			return fmt.Sprintf("%s: %v", line, err)
		}
		if got := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"); !slices.Equal(got, words) {
			return fmt.Sprintf("%s: the shell passed %q, want %q", line, got, words)
		}
		return ""
	}, gen.SliceOf(word)))
}

// The first word of a command is never an assignment or a word of the shell's own.
func TestFirstWordIsTheProgram(t *testing.T) {
	for _, w := range []string{"A=b", "a b", "$(x)", "~x"} {
		out, err := exec.Command("sh", "-c", shell.Command("/no/such/folder/"+w)).CombinedOutput()
		if err == nil || !strings.Contains(string(out), w) {
			t.Errorf("%q: %v, %s", w, err, out)
		}
	}
}

func asAny(words []string) (all []any) {
	for _, w := range words {
		all = append(all, w)
	}
	return all
}

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
