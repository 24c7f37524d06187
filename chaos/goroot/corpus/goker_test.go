package corpus

import (
	"os/exec"
	"slices"
	"testing"
)

// Catches: a kernel that is lost on the way, and a rewritten one that does not compile.
func TestGoKerModule(t *testing.T) {
	module := t.TempDir()
	tests, err := GoKer(t.Context(), module)
	if err != nil {
		t.Fatal(err)
	}
	if len(tests) != 63 || !slices.Contains(tests, "TestMoby27782") {
		t.Errorf("%d kernels, want 63: %q", len(tests), tests)
	}
	build := exec.CommandContext(t.Context(), "go", "test", "-vet=off", "-count=1", "-run", "^TestGrpc660$", ".")
	build.Dir = module
	if out, err := build.CombinedOutput(); err != nil {
		t.Errorf("go test: %v\n%s", err, out)
	}
}
