package rouse_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// pages returns the names of the documents for users: README.md and what lies in docs and evidence.
func pages(t *testing.T) []string {
	t.Helper()
	names, err := filepath.Glob("docs/*.md")
	if err != nil || len(names) < 10 {
		t.Fatalf("docs has the pages %q, error %v", names, err)
	}
	more, err := filepath.Glob("evidence/*.md")
	if err != nil || len(more) < 5 {
		t.Fatalf("evidence has the pages %q, error %v", more, err)
	}
	return append(append(names, more...), "README.md")
}

// read returns the text of a file of the repository.
func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A block is a fenced block of a page. The comment on the line before it, as in
// <!-- example: mailbox -->, says how it is tested.
type block struct {
	page     string
	line     int
	kind     string // "example"
	argument string // "mailbox"
	language string
	text     string
}

var blockComment = regexp.MustCompile(`^<!-- (\w+)(?:: (.*))? -->$`)

// blocks returns the fenced blocks of all pages, in order.
func blocks(t *testing.T) (all []block) {
	t.Helper()
	for _, page := range pages(t) {
		all = append(all, blocksOf(page, read(t, page))...)
	}
	return all
}

func blocksOf(page, text string) (all []block) {
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		language, ok := strings.CutPrefix(lines[i], "```")
		if !ok {
			continue
		}
		b := block{page: page, line: i + 1, language: language}
		if i > 0 {
			if m := blockComment.FindStringSubmatch(lines[i-1]); m != nil {
				b.kind, b.argument = m[1], m[2]
			}
		}
		end := slices.Index(lines[i+1:], "```")
		if end < 0 {
			end = len(lines) - i - 1
		}
		b.text = strings.Join(lines[i+1:i+1+end], "\n") + "\n"
		all = append(all, b)
		i += 1 + end
	}
	return all
}

// shows reports whether a text has all parts of what a page shows of it, in order. A "..." at the
// end of a line, or alone on one, separates two parts. Both are compared by their shape.
func shows(text, shown string) bool {
	rest := shape(text)
	for _, part := range regexp.MustCompile(`(?m)(^|\s)\.\.\.$`).Split(shown, -1) {
		_, after, ok := strings.Cut(rest, shape(part))
		if !ok {
			return false
		}
		rest = after
	}
	return true
}

// shape is a text without what differs from run to run: numbers, times, folders, and blanks.
func shape(text string) string {
	text = regexp.MustCompile(`\S*/mailbox_test\.go`).ReplaceAllString(text, "mailbox_test.go")
	text = regexp.MustCompile(`0x[0-9a-f]+|[0-9a-f]{16}`).ReplaceAllString(text, "0")
	text = regexp.MustCompile(`[0-9.]+(µs|ms|s)?`).ReplaceAllString(text, "0")
	text = strings.ReplaceAll(text, "0 executions", "0 execution")
	return strings.Join(strings.Fields(text), " ")
}

// Catches: a comparison that takes everything for what is shown.
func TestShows(t *testing.T) {
	const text = "one 1ms\n  two\nthree 3 executions\n"
	for shown, want := range map[string]bool{
		"one 2ms\ntwo\n":                     true,
		"one 1.5s\n...\nthree 1 execution\n": true,
		"one ...\nthree 2 executions\n":      true,
		"three 3 executions\n...\none 1ms\n": false,
		"two\none 1ms\n":                     false,
		"four\n":                             false,
	} {
		if got := shows(text, shown); got != want {
			t.Errorf("%q: %v, want %v", shown, got, want)
		}
	}
}

// Catches: Go code on a page that nothing compiles, and code that is quoted from a file which says
// something else by now.
func TestGoBlocks(t *testing.T) {
	quotes := 0
	for _, b := range blocks(t) {
		switch {
		case b.language != "go":
		case b.kind == "from":
			quotes++
			if !quoted(read(t, b.argument), b.text) {
				t.Errorf("%s:%d: %s has not these lines:\n%s", b.page, b.line, b.argument, b.text)
			}
		case b.kind != "example":
			t.Errorf("%s:%d: Go code without <!-- example: NAME --> or <!-- from: FILE -->", b.page, b.line)
		}
	}
	if quotes < 4 {
		t.Errorf("%d quotes from files, want at least 4", quotes)
	}
	if !quoted("a\nb\nc\nd\n", "\ta\n\tb\n...\nd\n") || quoted("a\nb\nc\n", "a\nc\n") {
		t.Error("of the planted lines the first are in the file, the second are not")
	}
}

// quoted reports whether a file has the lines of a quote, however they are indented. A line "..."
// leaves some out.
func quoted(file, quote string) bool {
	trim := func(text string) string {
		var lines []string
		for line := range strings.Lines(text) {
			lines = append(lines, strings.TrimSpace(line))
		}
		return "\n" + strings.Join(lines, "\n") + "\n"
	}
	rest := trim(file)
	for _, part := range regexp.MustCompile(`(?m)^\s*\.\.\.$`).Split(quote, -1) {
		part = strings.Trim(trim(part), "\n")
		_, after, ok := strings.Cut(rest, "\n"+part+"\n")
		if !ok {
			return false
		}
		rest = "\n" + after
	}
	return true
}
