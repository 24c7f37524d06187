package rouse_test

import (
	"fmt"
	"go/format"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var (
	moduleVersion = regexp.MustCompile(`(?m)^([\w.-]+\.\w+/\S+) v\d+\.\d+\.\d+.* Go 1\.\d+\.\d+, \w+/\w+\.`)
	hunk          = regexp.MustCompile(`^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@`)
	ours          = regexp.MustCompile(`bin/corpus|stress test|rouse`)
)

// foundSections are the headings of a page of evidence/found, which is the text of an issue for a library's maintainers.
var foundSections = []string{"Reproduce", "What the documentation says", "Why", "Fix", "How it was found"}

// notAnIssue returns why a page is no text that a maintainer can use without this repository.
func notAnIssue(page, text string) (wrong []string) {
	say := func(format string, values ...any) { wrong = append(wrong, fmt.Sprintf(format, values...)) }
	prose := fenced.ReplaceAllString(text, "")
	for _, m := range link.FindAllStringSubmatch(prose, -1) {
		if !strings.Contains(m[1], "://") {
			say("the link to %s leads nowhere from an issue", m[1])
		}
	}
	module := moduleVersion.FindStringSubmatch(prose)
	if module == nil {
		say("want a line with the module, its version and Go's")
	}
	var names []string
	parts := regexp.MustCompile(`(?m)^## `).Split(text, -1)
	sections := map[string]string{}
	for _, part := range parts[1:] {
		name, body, _ := strings.Cut(part, "\n")
		names, sections[name] = append(names, name), body
	}
	if !slices.Equal(names, foundSections) {
		say("the sections are %q, want %q", names, foundSections)
		return wrong
	}
	if before, _, _ := strings.Cut(text, "## How it was found"); ours.MatchString(before) {
		say("%q before How it was found: a maintainer does not have it", ours.FindString(before))
	}
	programs := 0
	for _, b := range blocksOf(page, text) {
		switch b.language {
		case "go":
			programs++
			if why := notAProgram(b.text, module); why != "" {
				say("line %d: %s", b.line, why)
			}
		case "diff":
			if why := notADiff(b.text); why != "" {
				say("line %d: %s", b.line, why)
			}
		default:
			say("line %d: a block of %q, want go or diff", b.line, b.language)
		}
	}
	if !strings.HasPrefix(sections["Reproduce"], "\n```go\n") {
		say("Reproduce does not begin with a program")
	}
	if strings.Count(sections["Fix"], "```diff\n") != 1 {
		say("Fix has no diff, or two")
	}
	if strings.Count(sections["Reproduce"], "```go\n") != programs {
		say("a program is not below Reproduce")
	}
	return wrong
}

// notAProgram returns why a text is no Go program that uses a module.
func notAProgram(text string, module []string) string {
	file, err := parser.ParseFile(token.NewFileSet(), "main.go", text, 0)
	if err != nil {
		return err.Error()
	}
	if formatted, err := format.Source([]byte(text)); err != nil || string(formatted) != text {
		return "the program is not as gofmt writes it"
	}
	if file.Name.Name != "main" || !strings.Contains(text, "\nfunc main() {\n") {
		return "want a whole program"
	}
	for _, spec := range file.Imports {
		if path, _ := strconv.Unquote(spec.Path.Value); module != nil && strings.HasPrefix(path+"/", module[1]+"/") {
			return ""
		}
	}
	return "the program does not use the module"
}

// notADiff returns why a text is no unified diff that patch takes.
func notADiff(text string) string {
	old, now, hunks := 0, 0, 0
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if old == 0 && now == 0 {
			m := hunk.FindStringSubmatch(line)
			if m != nil {
				hunks++
				old, now = 1, 1
				if m[1] != "" {
					old, _ = strconv.Atoi(m[1])
				}
				if m[2] != "" {
					now, _ = strconv.Atoi(m[2])
				}
			} else if !strings.HasPrefix(line, "--- a/") && !strings.HasPrefix(line, "+++ b/") {
				return fmt.Sprintf("%q is in no hunk", line)
			}
			continue
		}
		switch {
		case strings.HasPrefix(line, "-"):
			old--
		case strings.HasPrefix(line, "+"):
			now--
		case line == "" || strings.HasPrefix(line, " "):
			old, now = old-1, now-1
		default:
			return fmt.Sprintf("%q is no line of a diff", line)
		}
	}
	if hunks == 0 || old != 0 || now != 0 || !strings.Contains(text, "--- a/") {
		return "the hunks do not have the lines that they promise"
	}
	return ""
}

const foundPage = "# It hangs\n\ngithub.com/a/b/v2 v2.1.0, Go 1.26.8, linux/amd64.\n\n## Reproduce\n\n```go\npackage main\n\nimport \"github.com/a/b/v2/c\"\n\nfunc main() {\n\tc.Hang()\n}\n```\n\nIt hangs.\n\n" +
	"## What the documentation says\n\n> It does not hang.\n\n## Why\n\nIt [waits](https://example.com).\n\n## Fix\n\n```diff\n--- a/c.go\n+++ b/c.go\n@@ -1,3 +1,3 @@ func Hang() {\n one\n-two\n+2\n three\n```\n\n" +
	"## How it was found\n\nBy `stress test` of rouse.\n"

// Catches: a page of evidence/found that cannot be sent as it is: a link that leads nowhere from an issue, no program to
// begin with, a command that only we have, a diff that does not apply, no version.
func TestFoundPagesStandAlone(t *testing.T) {
	if wrong := notAnIssue("planted", foundPage); wrong != nil {
		t.Errorf("of the page in form: %q", wrong)
	}
	for _, c := range []struct{ old, new, want string }{
		{"(https://example.com)", "(../suites.md)", "the link to ../suites.md leads nowhere"},
		{"(https://example.com)", "(#fix)", "the link to #fix leads nowhere"},
		{" v2.1.0", "", "want a line with the module"},
		{", Go 1.26.8", "", "want a line with the module"},
		{"## Reproduce", "## Reproduction", "the sections are"},
		{"## Why\n\nIt", "It", "the sections are"},
		{"## Reproduce\n\n", "## Reproduce\n\nLet it run.\n\n", "does not begin with a program"},
		{"It hangs.\n\n##", "In corpus: bin/corpus run it\n\n##", "before How it was found"},
		{"It hangs.\n\n##", "Under `stress test` it hangs.\n\n##", "before How it was found"},
		{"It hangs.\n\n##", "```sh\ngo run .\n```\n\n##", "a block of \"sh\""},
		{"package main", "package p", "want a whole program"},
		{"func main() {\n\tc.Hang()", "func main() {\n c.Hang()", "as gofmt writes it"},
		{"func main() {\n\tc.Hang()", "func main() {\n\tc.Hang(", "expected"},
		{"github.com/a/b/v2/c", "github.com/a/b/v22", "does not use the module"},
		{"-two\n", "", "the hunks do not have the lines"},
		{"-two\n+2\n", "two\n", "is no line of a diff"},
		{" three\n", " three\n four\n", "is in no hunk"},
		{"By `stress test`", "```go\npackage main\n```\n\nBy `stress test`", "a program is not below Reproduce"},
	} {
		text := strings.Replace(foundPage, c.old, c.new, 1)
		if wrong := strings.Join(notAnIssue("planted", text), "\n"); text == foundPage || !strings.Contains(wrong, c.want) {
			t.Errorf("%q in place of %q: %q, want %q", c.new, c.old, wrong, c.want)
		}
	}
	names, err := filepath.Glob("evidence/found/*.md")
	if err != nil || len(names) < 20 {
		t.Fatalf("evidence/found has the pages %q, error %v", names, err)
	}
	index := read(t, "evidence/found/README.md")
	for _, name := range names {
		base := filepath.Base(name)
		if base == "README.md" {
			continue
		}
		text := read(t, name)
		for _, why := range notAnIssue(name, text) {
			t.Errorf("%s: %s", name, why)
		}
		for _, n := range longLines(text, 100) {
			t.Errorf("%s:%d: longer than 100 characters", name, n)
		}
		if !strings.Contains(index, "]("+base+")") {
			t.Errorf("evidence/found/README.md does not list %s", base)
		}
	}
}
