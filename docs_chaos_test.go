//go:build chaos

package rouse_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos"
	_ "github.com/rouse-go/rouse/pool" // declares its points, and sleep's
)

// pointIn matches what looks like a hook point of sleep or pool, in backquotes.
var pointIn = regexp.MustCompile("`((?:sleep|pool)/[a-z0-9-]+)`")

// TestDocsNamePointsThatExist: a document that names a hook point must be told
// when the point gets another name.
func TestDocsNamePointsThatExist(t *testing.T) {
	var points []string
	for _, p := range chaos.Points() {
		points = append(points, p.Name)
	}
	for _, name := range []string{"README.md", "sleep/README.md", "CHANGELOG.md"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range pointIn.FindAllStringSubmatch(string(text), -1) {
			if !slices.Contains(points, m[1]) && !slices.Contains([]string{"sleep/README", "pool/burst", "pool/poolprom"}, m[1]) {
				t.Errorf("%s names the point %s, which does not exist", name, m[1])
			}
		}
	}
}

// TestProtocolDocumentNamesEveryPoint: a reader of the protocol can lay the
// document beside the code and find every point in it.
func TestProtocolDocumentNamesEveryPoint(t *testing.T) {
	text, err := os.ReadFile("sleep/README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range chaos.Points() {
		room, _, _ := strings.Cut(p.Name, "/")
		if (room == "sleep" || room == "pool") && !strings.Contains(string(text), "`"+p.Name+"`") {
			t.Errorf("sleep/README.md does not name %s", p.Name)
		}
	}
}
