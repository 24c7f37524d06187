//go:build chaos

package rouse_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos"
	_ "github.com/rouse-go/rouse/pool" // declares its points, and sleep's
)

// pointIn matches what looks like a hook point of sleep or pool, in backquotes.
var pointIn = regexp.MustCompile("`((?:sleep|pool)/[a-z0-9-]+)`")

// Catches: a document that names a hook point by an old name.
func TestDocsNamePointsThatExist(t *testing.T) {
	var points []string
	for _, p := range chaos.Points() {
		points = append(points, p.Name)
	}
	for _, name := range append(append(pages(t), "CHANGELOG.md"), protocolDocuments...) {
		for _, m := range pointIn.FindAllStringSubmatch(read(t, name), -1) {
			if !slices.Contains(points, m[1]) && !slices.Contains([]string{"pool/burst", "pool/poolprom"}, m[1]) {
				t.Errorf("%s names the point %s, which does not exist", name, m[1])
			}
		}
	}
}

// protocolDocuments describe the steps of sleep and pool.
var protocolDocuments = []string{"sleep/README.md", "sleep/VARIANTS.md", "pool/README.md", "docs/sleep-checks.md"}

// TestProtocolDocumentsNameEveryPoint: a reader of the code finds every point in a document.
func TestProtocolDocumentsNameEveryPoint(t *testing.T) {
	var text strings.Builder
	for _, name := range protocolDocuments {
		text.WriteString(read(t, name))
	}
	for _, p := range chaos.Points() {
		room, _, _ := strings.Cut(p.Name, "/")
		if (room == "sleep" || room == "pool") && !strings.Contains(text.String(), "`"+p.Name+"`") {
			t.Errorf("no document of %v names %s", protocolDocuments, p.Name)
		}
	}
}
