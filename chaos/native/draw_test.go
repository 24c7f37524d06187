package native

import (
	"testing"

	"github.com/rouse-go/rouse/chaos/internal/splitmix"
	"github.com/rouse-go/rouse/internal/seam"
)

// Draws are part of what a seed means: recordings and reports quote seeds.
func TestDrawsStayAsTheyWere(t *testing.T) {
	p := &seam.Point{Name: "native/at", Key: seam.Hash("native/at")}
	stream := splitmix.Mix(splitmix.Mix(7, 0), rootIdent(mainRoot).child(0).child(2).key)
	if got, want := draw(stream, p, 3, 1), uint64(0x1c5abec6b67d655f); got != want {
		t.Errorf("draw = %#x, want %#x: every seed now means something else", got, want)
	}
}

func TestDrawsDependOnEverything(t *testing.T) {
	seen := map[uint64]bool{}
	n := 0
	for seed := range uint64(8) {
		stream := splitmix.Mix(seed, 0)
		for _, name := range []string{"a/a", "a/b", "a/c", "b/a", "b/b", "b/c"} {
			for visit := range uint64(8) {
				for index := range 8 {
					seen[draw(stream, &seam.Point{Key: seam.Hash(name)}, visit, index)] = true
					n++
				}
			}
		}
	}
	if len(seen) != n {
		t.Errorf("%d draws had %d values", n, len(seen))
	}
}

func TestPaths(t *testing.T) {
	id := rootIdent(mainRoot).child(0).child(12)
	if got := id.path(); got != "main/0/12" {
		t.Errorf("path = %q", got)
	}
	for path, want := range map[string]*ident{
		"main":      rootIdent(mainRoot),
		"main/0/12": id,
		"foreign/3": rootIdent(foreignRoot).child(3),
	} {
		if key, ok := pathKey(path); !ok || key != want.key {
			t.Errorf("pathKey(%q) = %#x, %v, want %#x", path, key, ok, want.key)
		}
	}
	for _, path := range []string{"", "worker 0", "main/", "main/01", "main/x", "main/-1", "main//0", "/main", "Main/0"} {
		if _, ok := pathKey(path); ok {
			t.Errorf("%q passes for a path", path)
		}
	}
	keys := map[uint64]bool{}
	for i := range uint64(100) {
		for j := range uint64(100) {
			keys[rootIdent(mainRoot).child(i).child(j).key] = true
		}
	}
	if len(keys) != 10000 {
		t.Errorf("10000 paths have %d keys", len(keys))
	}
}
