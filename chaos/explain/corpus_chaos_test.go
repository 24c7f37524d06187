//go:build chaos

package explain_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/internal/faketest"
)

// A program loses a wakeup, and comes with the true account of it.
type program struct {
	name string
	// body is what is explored.
	body func(c *chaos.C)
	// want are the lines. {x} is the place of the line that ends in the comment
	// "// name: x", and objects have no numbers.
	want string
	// or is the account of another schedule that loses the wakeup, "" if there is none: which
	// of the two is found depends on the seed, see -chaos.seed.
	or      string
	options []chaos.Option
}

// TestCorpus: of each program the lines are exactly the true account.
func TestCorpus(t *testing.T) {
	places := markers(t)
	programs := slicesOf(conditions, flags, channels, others)
	if len(programs) < 20 {
		t.Fatalf("%d programs, want 20 or more", len(programs))
	}
	for _, p := range programs {
		t.Run(p.name, func(t *testing.T) {
			want, or := expected(t, p.name, p.want, places), expected(t, p.name, p.or, places)
			said := explore(t, p)
			if got := renamed(account(said)); got != want && (got != or || or == "") {
				t.Errorf("got\n%s\nwant\n%s\nor\n%s\nof\n%s", got, want, or, said)
			}
		})
	}
}

// explore returns what is said of a failure of the program.
func explore(t *testing.T, p program) string {
	t.Helper()
	r := faketest.Run(t.Name(), func(r *faketest.Test) {
		chaos.Explore(r, p.body, append([]chaos.Option{chaos.WithDir(t.TempDir()), chaos.WithExecutions(5000)}, p.options...)...)
	})
	if !r.Failed() {
		t.Fatalf("nothing was found:\n%s", r.Log)
	}
	return r.Log
}

// expected is an account with its places.
func expected(t *testing.T, program, text string, places map[string]string) string {
	t.Helper()
	text = regexp.MustCompile(`\{[^}]*\}`).ReplaceAllStringFunc(text, func(mark string) string {
		place, ok := places[program+": "+strings.Trim(mark, "{}")]
		if !ok {
			t.Errorf("there is no line with the comment // %s: %s", program, strings.Trim(mark, "{}"))
		}
		return place
	})
	return renamed(strings.Join(strings.Fields(text), " "))
}

func slicesOf(all ...[]program) (programs []program) {
	for _, some := range all {
		programs = append(programs, some...)
	}
	return programs
}

// account returns the lines of a message, in one line, without the numbers of objects and the names of
// functions.
func account(said string) string {
	var lines []string
	for line := range strings.Lines(said) {
		for _, label := range []string{"checked ", "posted ", "notification ", "channel ", "count ", "lock ", "sleeps "} {
			if strings.HasPrefix(line, label) {
				lines = append(lines, line)
			}
		}
	}
	text := regexp.MustCompile(` \[\d+\]`).ReplaceAllString(strings.Join(lines, ""), "")
	text = regexp.MustCompile(`in \S+ \((\S+)\), on( and)*`).ReplaceAllString(text, "at $1")
	return strings.Join(strings.Fields(text), " ")
}

// renamed numbers tasks in the order in which they are named: which of several that do
// the same is the first is not part of the account.
func renamed(text string) string {
	names := make(map[string]string)
	return regexp.MustCompile(`main/\d+`).ReplaceAllStringFunc(text, func(path string) string {
		if names[path] == "" {
			names[path] = fmt.Sprintf("task %c", 'A'+rune(len(names)))
		}
		return names[path]
	})
}

// markers are the places of the lines that end in a comment "// program: mark", by that.
func markers(t *testing.T) map[string]string {
	_, here, _, _ := runtime.Caller(0)
	files, err := filepath.Glob(filepath.Join(filepath.Dir(here), "corpus_*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	places := make(map[string]string)
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		scanner := bufio.NewScanner(f)
		for n := 1; scanner.Scan(); n++ {
			if _, mark, ok := strings.Cut(scanner.Text(), " // "); ok {
				places[mark] = fmt.Sprintf("%s:%d", filepath.Base(name), n)
			}
		}
		f.Close()
	}
	return places
}
