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
