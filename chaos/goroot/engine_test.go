package goroot

import (
	"encoding/json"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// Catches: a package that the engine imports, and that does not travel with it or that imports
// package testing.
func TestImportsTravel(t *testing.T) {
	texts, err := additions()
	if err != nil {
		t.Fatal(err)
	}
	for _, importing := range untravelled(t, texts) {
		t.Error(importing)
	}
	texts["internal/rouse/planted/x.go"] = "package planted\nimport (\"internal/rouse/nowhere\"; \"github.com/x/y\"; \"testing\"; _ \"os\")"
	texts["testing/planted.go"] = "package testing\nimport (_ \"internal/rouse/gone\"; _ \"testing/fstest\")"
	if got := untravelled(t, texts); len(got) != 4 {
		t.Errorf("of planted files: %q, want 4", got)
	}
}

// untravelled returns the imports of added files that there is no package for, and those of the engine
// that would import it.
func untravelled(t *testing.T, texts map[string]string) (bad []string) {
	dirs := map[string]bool{}
	for name := range texts {
		dirs[path.Dir(name)] = true
	}
	for name, text := range texts {
		engine := strings.HasPrefix(name, enginePrefix)
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range file.Imports {
			to, _ := strconv.Unquote(spec.Path.Value)
			first, _, _ := strings.Cut(to, "/")
			switch {
			case strings.HasPrefix(to, enginePrefix) && !dirs[to], engine && (strings.Contains(first, ".") || first == "testing"):
				bad = append(bad, name+" imports "+to)
			}
		}
	}
	return bad
}

// Catches: a file of the chaos build that travels, and one of the normal build that the user's own
// tag chaos would take away.
func TestTravel(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{"//go:build chaos", ""},
		{"//go:build !chaos", "package x\n"},
		{"//go:build race && chaos", ""},
		{"//go:build race && !chaos", "//go:build race\npackage x\n"},
		{"//go:build !chaos || (linux && !race)", "package x\n"},
		{"//go:build chaos || (linux && !race)", "//go:build linux && !race\npackage x\n"},
		{"//go:build !(chaos && linux)", "package x\n"},
		{"//go:build unix", "//go:build unix\npackage x\n"},
	} {
		if _, err := constraint.Parse(test.line); err != nil {
			t.Fatal(err)
		}
		got, ok := travel("x.go", test.line+"\npackage x\n")
		if !ok {
			got = ""
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", test.line, got, test.want)
		}
	}
	got, ok := travel("x.go", "package x\nimport \"github.com/rouse-go/rouse/hooks\"\n")
	if want := "package x\nimport \"internal/rouse/hooks\"\n"; !ok || got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

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
