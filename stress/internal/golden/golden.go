package golden

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"
)

// Update is the flag -update of a test binary: write the files instead of comparing with them.
var Update = flag.Bool("update", false, "write golden files instead of comparing with them")

// Compare compares got with a file of testdata.
func Compare(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *Update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs; go test . -update if that is intended. Got\n%s", path, got)
	}
}
