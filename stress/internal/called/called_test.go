package called

import (
	"slices"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestBuiltByGoRun(t *testing.T) {
	for binary, want := range map[string]bool{
		"/tmp/go-build123/b001/exe/stress":          true,
		"/other/go-build123/b001/exe/stress":        true,
		"/home/me/.cache/go-build/c7/c766-d/stress": true,
		"/home/me/go-build/stress":                  false,
		"/home/me/go-builds/rouse/stress":           false,
		"/tmp/mine/go-build1/stress":                false,
		"/home/me/.cache/other/stress":              false,
		"./stress":                                  false,
		"go-build1/stress":                          false,
		"stress":                                    false,
	} {
		if got := builtByGoRun(binary, "/home/me/.cache/go-build", "", "/tmp", "/other"); got != want {
			t.Errorf("%s: %t, want %t", binary, got, want)
		}
	}
}

func TestGoRun(t *testing.T) {
	if slices.Contains(goRun(false, "."), "-race") || !slices.Contains(goRun(true, "."), "-race") {
		t.Errorf("%q, with the race detector %q", goRun(false, "."), goRun(true, "."))
	}
}

func TestWithin(t *testing.T) {
	for _, c := range []struct{ pkg, module, want string }{
		{"example.org/m/cmd/stress", "example.org/m", "./cmd/stress"},
		{"example.org/m", "example.org/m", "."},
		{"example.org/mine", "example.org/m", "example.org/mine"},
		{"command-line-arguments", "example.org/m", "."},
	} {
		if got := within(c.pkg, c.module); got != c.want {
			t.Errorf("%s in %s: %s, want %s", c.pkg, c.module, got, c.want)
		}
	}
}
