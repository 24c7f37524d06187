package shell_test

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"

	"github.com/rouse-go/rouse/internal/proptest"
	"github.com/rouse-go/rouse/internal/shell"
)

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
