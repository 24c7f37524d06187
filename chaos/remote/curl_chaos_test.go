//go:build chaos && unix

package remote

import (
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestDocumentedCurl runs the lines with curl that the documents show, as they are printed.
func TestDocumentedCurl(t *testing.T) {
	documents, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	calls := shown(t, "doc.go", "//\t")
	for _, name := range append(documents, "../../README.md") {
		calls = append(calls, shown(t, name, "")...)
	}
	const token = "0123456789abcdef"
	t.Setenv(tokenEnv, token)
	service := httptest.NewServer(faults(t))
	defer service.Close()
	dir := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, filepath.Join(dir, "curl")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "plan.txt"), []byte(goodPlan+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	answered := map[string]int{}
	for _, call := range calls {
		cmd := exec.Command("sh", "-c", call)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), curlEnv+"="+service.URL, "PATH="+dir)
		out, err := cmd.CombinedOutput()
		path, rest, _ := strings.Cut(string(out), " ")
		if err != nil || !strings.HasPrefix(rest, "200 ") {
			t.Errorf("%s: %v\n%s", call, err, out)
		}
		answered[path]++
	}
	for _, path := range []string{"/points", "/status", "/arm", "/disarm"} {
		if answered[path] < 2 {
			t.Errorf("%s is shown %d times, want it in the package documentation and in another document", path, answered[path])
		}
	}
}

// shown returns the calls of curl in a document, each with the assignment of a variable before
// it, if there is one.
func shown(t *testing.T, name, prefix string) (calls []string) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	assignment := ""
	for line := range strings.Lines(string(text)) {
		line, ok := strings.CutPrefix(line, prefix)
		switch {
		case !ok:
		case strings.HasPrefix(line, "authorization="):
			assignment = line
		case strings.HasPrefix(line, "curl ") && strings.Contains(line, "localhost:8080/chaos/"), strings.HasPrefix(line, "curl ") && strings.Contains(line, "127.0.0.1:6060/"):
			calls = append(calls, assignment+line)
		}
	}
	return calls
}
