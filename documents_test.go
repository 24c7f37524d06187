package rouse_test

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

var (
	builds = regexp.MustCompile(`\bgo build\b.* -o[ =]([^\s"'` + "`" + `]+)`)
	runs   = regexp.MustCompile(`(?:^|[\s;|&])\.?/?([\w./-]+) (?:run|mutants|replay|explain|shrink|validate|list|points|merge|test|mutate)\b`)
)

// builtIntoFolders returns the lines of a document that build a program into what is a folder, or run one there.
func builtIntoFolders(text string, isFolder func(name string) bool) (wrong []string) {
	for line := range strings.Lines(text) {
		m := builds.FindStringSubmatch(line)
		if m == nil && !strings.Contains(line, "go ") {
			if m = runs.FindStringSubmatch(line); m != nil && !strings.Contains(m[0], "./") {
				m = nil // a command, found by $PATH
			}
		}
		if m != nil && !strings.Contains(m[1], "$") && isFolder(m[1]) {
			wrong = append(wrong, strings.TrimSpace(line))
		}
	}
	return wrong
}

// Catches: a document whose go build -o names a folder of the repository: the binary then lands inside that folder.
func TestDocumentsBuildIntoNoFolder(t *testing.T) {
	isFolder := func(name string) bool { return name == "stress" }
	planted := "go build -tags chaos -o stress ./cmd/stress\ngo build -o bin/stress ./cmd/stress\nnice -n 15 ./stress run --for 1h\nbin/stress run\n"
	if got := builtIntoFolders(planted, isFolder); !slices.Equal(got, []string{"go build -tags chaos -o stress ./cmd/stress", "nice -n 15 ./stress run --for 1h"}) {
		t.Fatalf("of the planted text these lines are wrong: %q", got)
	}
	read := 0
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "bin" || d.Name() == "rouse-out"):
			return fs.SkipDir
		case d.IsDir() || !slices.Contains([]string{".md", ".go", ".sh", ".yml", ".yaml"}, path.Ext(name)) || name == "documents_test.go":
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		read++
		root := "."
		for _, module := range []string{"evidence/bench", "evidence/corpus"} {
			if strings.HasPrefix(filepath.ToSlash(name), module+"/") {
				root = module
			}
		}
		for _, line := range builtIntoFolders(string(text), func(target string) bool {
			info, err := os.Stat(filepath.Join(root, target))
			return err == nil && info.IsDir()
		}) {
			t.Errorf("%s: %s: the program lands in a folder, or is one: build into bin/", name, line)
		}
		return nil
	})
	if err != nil || read < 100 {
		t.Errorf("%d documents read, error %v", read, err)
	}
}

// documents returns the names of all Markdown files of the repository, but those of testdata.
func documents(t *testing.T) (names []string) {
	t.Helper()
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains([]string{".git", "bin", "rouse-out", "testdata"}, d.Name()):
			return fs.SkipDir
		case filepath.Ext(name) == ".md":
			names = append(names, name)
		}
		return nil
	})
	if err != nil || len(names) < 10 {
		t.Fatalf("the documents are %q, error %v", names, err)
	}
	return names
}

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
	fenced  = regexp.MustCompile("(?ms)^```.*?^```$")
)

// anchors returns the names by which a link reaches the headings of a document.
func anchors(text string) (names []string) {
	for _, m := range heading.FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
		name := strings.ToLower(link.ReplaceAllString(m[1], ""))
		name = regexp.MustCompile(`[^\pL\pN _-]`).ReplaceAllString(name, "")
		names = append(names, strings.ReplaceAll(name, " ", "-"))
	}
	return names
}

// onMain begins the address of a file of the repository.
const onMain = "https://github.com/rouse-go/rouse/blob/main/"

// brokenLinks returns the links of a document to files and headings that are not there.
func brokenLinks(name, text string, readFile func(string) ([]byte, error)) (wrong []string) {
	for _, m := range link.FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
		target, anchor, _ := strings.Cut(m[1], "#")
		file, ours := strings.CutPrefix(target, onMain)
		switch {
		case ours:
		case strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:"):
			continue
		case target == "":
			file = name
		default:
			file = filepath.Join(filepath.Dir(name), filepath.FromSlash(target))
		}
		if _, err := os.Stat(file); err != nil {
			wrong = append(wrong, m[1])
			continue
		}
		if anchor == "" {
			continue
		}
		content, err := readFile(file)
		if err != nil || !slices.Contains(anchors(string(content)), anchor) {
			wrong = append(wrong, m[1])
		}
	}
	return wrong
}

// Catches: a link to a file or a heading that was renamed.
func TestLinks(t *testing.T) {
	planted := "# One, `two` and [three](LICENSE)\n[a](#one-two-and-three) [b](LICENSE) [c](#two) [d](nowhere.md) [e](go.mod#x) [f](" + onMain + "go.mod) [g](" + onMain + "went.mod)\n"
	readPlanted := func(name string) ([]byte, error) {
		if name == "README.md" {
			return []byte(planted), nil
		}
		return nil, nil
	}
	if got := brokenLinks("README.md", planted, readPlanted); !slices.Equal(got, []string{"#two", "nowhere.md", "go.mod#x", onMain + "went.mod"}) {
		t.Fatalf("of the planted links these are broken: %q", got)
	}
	for _, name := range documents(t) {
		for _, target := range brokenLinks(name, read(t, name), os.ReadFile) {
			t.Errorf("%s: the link to %s leads nowhere", name, target)
		}
	}
}

// longLines returns the numbers of the lines of prose that are longer than a page is wide. Tables,
// code and what cannot be wrapped may be longer.
func longLines(text string, most int) (numbers []int) {
	code := false
	for i, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "```") {
			code = !code
		}
		line = figureMark.ReplaceAllString(line, "")
		free := code || strings.HasPrefix(line, "|") || strings.HasPrefix(line, "<!--") || strings.HasPrefix(line, "    ") || !strings.Contains(strings.TrimSpace(line), " ")
		if !free && utf8.RuneCountInString(line) > most {
			numbers = append(numbers, i+1)
		}
	}
	return numbers
}

// Catches: prose that an editor or a diff does not show whole.
func TestProseWraps(t *testing.T) {
	if got := longLines("a b\n```\na long line\n```\na long line\n| a table of words |\naverylongword\n", 6); !slices.Equal(got, []int{5}) {
		t.Fatalf("of the planted text these lines are too long: %d", got)
	}
	for _, name := range append(pages(t), "CONTRIBUTING.md", "SECURITY.md") {
		for _, n := range longLines(read(t, name), 100) {
			t.Errorf("%s:%d: longer than 100 characters", name, n)
		}
	}
}

// Catches: a page that says where something is in the source, after it was renamed or moved.
func TestPlacesInTheSource(t *testing.T) {
	place := regexp.MustCompile("(?s)\\]\\(([^)]+\\.go)\\)((?:,\\s`\\w+`)+)")
	word := regexp.MustCompile("`(\\w+)`")
	places := 0
	for _, name := range pages(t) {
		for _, m := range place.FindAllStringSubmatch(read(t, name), -1) {
			source, err := os.ReadFile(filepath.Join(filepath.Dir(name), m[1]))
			if err != nil {
				continue // TestLinks says so
			}
			for _, w := range word.FindAllStringSubmatch(m[2], -1) {
				places++
				if !regexp.MustCompile(`(?m)^(func|type) (\([^)]*\) )?` + w[1] + `\b`).Match(source) {
					t.Errorf("%s: %s does not declare %s", name, m[1], w[1])
				}
			}
		}
	}
	if places < 5 {
		t.Errorf("the pages name %d places in the source, want 5 at least", places)
	}
}
