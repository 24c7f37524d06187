package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const fixtures = "./CI/zerocost/testdata/"

func proveFixtures(t *testing.T, tags string, names ...string) []*result {
	t.Helper()
	dependOn(t, "../../hooks", "../../internal/seam")
	m, err := openModule(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for i := range names {
		names[i] = fixtures + names[i]
	}
	results, err := prove(m, tags, names)
	if err != nil {
		t.Fatal(err)
	}
	return results
}

// dependOn opens all files below some folders: go test then knows that a result
// that it has cached is stale when one of them changes.
func dependOn(t *testing.T, dirs ...string) {
	t.Helper()
	for _, dir := range dirs {
		if err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				_, err = os.ReadFile(path)
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
}

// has reports whether there is a finding about something, in a package whose path ends so.
func has(results []*result, pkg, where, what string) bool {
	return slices.ContainsFunc(results, func(r *result) bool {
		return strings.HasSuffix(r.path, "/"+pkg) && slices.ContainsFunc(r.findings, func(f finding) bool {
			return strings.HasSuffix(f.where, where) && strings.Contains(f.what, what)
		})
	})
}

// Catches: a way to use hooks that costs nothing and is reported.
func TestFreeHooksAreFree(t *testing.T) {
	results := proveFixtures(t, "", "free")
	if !free(results) {
		t.Errorf("reported:\n%s", describe(results))
	}
	want := []string{
		"(*Queue).Push", "(*Queue).Loop", "(*Queue).Swap", "(*Queue).Start", "(*Queue).Call",
		"(*Queue).pause", "Each", "(*Box).Get",
	}
	var got []string
	for _, fn := range results[0].hooked {
		got = append(got, strings.TrimPrefix(fn, results[0].path+"."))
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("hooked functions:\n%v, want\n%v", got, want)
	}
}

// Each fixture has one cost that hooks do not have by themselves. The proof has to name the
// function and the cause, and nothing else.
func TestCostsAreReported(t *testing.T) {
	// What cannot be removed ends a proof early, and imports are those of all packages, so these
	// are proved alone.
	alone := map[string][]*result{"kept": proveFixtures(t, "", "kept"), "imported": proveFixtures(t, "", "imported")}
	together := proveFixtures(t, "", "argument", "loop", "budget", "stored", "method", "unreached", "variable")
	for _, test := range []struct{ fixture, where, what string }{
		{"argument", ".Start", "instructions with the hooks, 2 without"},
		{"variable", "variable.go:12", "name is used by hooks only"},
		{"loop", ".Wake", "instructions with the hooks"},
		{"budget", ".mix", "can be inlined only without the hooks"},
		{"budget", ".Caller", "instructions with the hooks"},
		{"kept", "init", "At of hooks is used in a way that cannot be removed"},
		{"kept", "Later", "At of hooks is used in a way that cannot be removed"},
		{"stored", ".Store", "instructions with the hooks"},
		{"stored", ".point", "a hook point is in the program"},
		{"method", ".(*Worker).Start", "instructions with the hooks"},
		{"method", ".(*Worker).main-fm", "exists only with the hooks"},
		{"unreached", ".each", "has no code"},
		{"imported", "strings", "only because hooks import it"},
	} {
		results, ok := alone[test.fixture]
		if !ok {
			results = together
		}
		if !has(results, test.fixture, test.where, test.what) {
			t.Errorf("not reported: %s%s: %s, got\n%s", test.fixture, test.where, test.what, describe(results))
		}
		if has(results, test.fixture, ".Stop", "") {
			t.Errorf("%s.Stop is reported:\n%s", test.fixture, describe(results))
		}
	}
}

// Catches: a proof that compares the normal build with itself.
func TestChaosBuildIsReported(t *testing.T) {
	results := proveFixtures(t, "chaos", "free")
	for where, what := range map[string]string{
		"free.pushed":      " size=",
		"seam.(*Point).At": "a symbol of internal/seam is in the program",
		"seam.Declare":     "a symbol of internal/seam is in the program",
	} {
		if !has(results, "free", where, what) {
			t.Errorf("missing: %s: %s", where, what)
		}
	}
	for _, fn := range results[0].hooked {
		if !slices.ContainsFunc(results[0].findings, func(f finding) bool { return isOf(f.where, fn) }) {
			t.Errorf("%s counts as identical in the chaos build", fn)
		}
	}
}

// Catches: a package variable of hooks, which is in every binary that imports the package, and a
// package of hooks that is not looked at.
func TestImportsOfHooksLeaveNothing(t *testing.T) {
	dependOn(t, "../../hooks", "../../internal/seam")
	for tags, want := range map[string][]string{
		"": nil,
		"chaos": {"hooks/atomic.add", "hooks/channel.send", "hooks/context.deadline", "hooks/memory.between",
			"hooks/sync.mutexLock", "hooks/time.now", "internal/seam.Declare"},
	} {
		m, err := openModule(t.Context(), t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		r := &result{}
		if err := r.link(m, tags, []string{m.path + "/pool", m.path + "/sleep"}); err != nil {
			t.Fatal(err)
		}
		for _, symbol := range want {
			if !slices.ContainsFunc(r.findings, func(f finding) bool { return f.where == m.path+"/"+symbol }) {
				t.Errorf("tags %q: %s is not among %d findings", tags, symbol, len(r.findings))
			}
		}
		if tags == "" && len(r.findings) > 0 {
			t.Errorf("the normal build: %v", r.findings)
		}
	}
}

func TestExitCodes(t *testing.T) {
	for _, test := range []struct {
		args []string
		code int
		out  string
	}{
		{[]string{fixtures + "free"}, exitFree, "8 hooked functions of 12, identical\n"},
		{[]string{fixtures + "loop"}, exitCosts, "1 hooked functions of 1, NOT FREE"},
		{[]string{fixtures + "nothing"}, exitTrouble, "zerocost: go list"},
		{[]string{"-nonsense"}, exitUsage, "usage: zerocost"},
	} {
		var out bytes.Buffer
		if code := run(t.Context(), test.args, &out, &out); code != test.code {
			t.Errorf("%v: exit code %d, want %d", test.args, code, test.code)
		}
		if !strings.Contains(out.String(), test.out) {
			t.Errorf("%v: want %q in\n%s", test.args, test.out, &out)
		}
	}
}

// Catches: a symbol of hooks that is not recognised.
func TestForbiddenSymbols(t *testing.T) {
	for name, want := range map[string]bool{
		"example.com/m/hooks.At":                      true,
		"CALL\texample.com/m/hooks.At(SB)":            true,
		"example.com/m/hooks..inittask":               true,
		"example.com/m/hooks/sync.(*Mutex).Lock":      true,
		"example.com/m/internal/seam.points":          true,
		"type:.eq.example.com/m/hooks.Point":          true,
		"LEAQ\texample.com/m/pool.point(SB), AX":      true,
		"LEAQ\texample.com/m/pool.points(SB), AX":     false,
		"example.com/m/hooks/time.UTC":                true,
		"example.com/m/hooks/context..inittask":       true,
		"example.com/m/hooks/channel.wait":            true,
		"example.com/m/pool.(*Pool).Run":              false,
		"internal/runtime/exithook.hooks":             false,
		"example.com/m/pool.F[example.com/m/hooks.P]": true,
	} {
		r := &result{points: []string{"example.com/m/pool.point"}}
		r.forbid("example.com/m", name)
		if got := !free([]*result{r}); got != want {
			t.Errorf("%s: forbidden is %v, want %v", name, got, want)
		}
	}
}
