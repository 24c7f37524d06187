package goroot

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// buildCore builds the program that tests the engine, with one more package below GOROOT.
func buildCore(t *testing.T, flags ...string) string {
	t.Helper()
	dir := filepath.Join("testdata", "core")
	o, err := Make(t.Context(), Options{Dir: dir, BuildFlags: flags})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(o.File)
	if err != nil {
		t.Fatal(err)
	}
	var overlay struct{ Replace map[string]string }
	if err := json.Unmarshal(text, &overlay); err != nil {
		t.Fatal(err)
	}
	added, err := filepath.Abs(filepath.Join(dir, "_rousecore", "rousecore.go"))
	if err != nil {
		t.Fatal(err)
	}
	overlay.Replace[filepath.Join(o.GOROOT, "src", "rousecore", "rousecore.go")] = added
	if text, err = json.Marshal(overlay); err != nil {
		t.Fatal(err)
	}
	file, binary := filepath.Join(t.TempDir(), "overlay.json"), filepath.Join(t.TempDir(), "core")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"build", "-o", binary}, o.Flags...)
	cmd := exec.CommandContext(t.Context(), o.Go, append(args, "-overlay="+file, ".")...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), o.Env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return binary
}

// Catches: a DPOR that misses an outcome, an execution that ends otherwise than it should or does not
// repeat, and one that leaves memory behind, where the runtime holds the tasks.
func TestEngine(t *testing.T) {
	core := buildCore(t)
	for _, name := range []string{"dpor", "ends", "repeats", "steps", "memory"} {
		t.Run(name, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), core, name)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
