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

func proveFixtures(t *testing.T, tags string, names ...string) *report {
	t.Helper()
	dependOn(t, "../../hooks", "../../internal/seam")
	tree, err := openTree(t.Context(), ".", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for i := range names {
		names[i] = fixtures + names[i]
	}
	r, err := prove(tree, tags, names...)
	if err != nil {
		t.Fatal(err)
	}
	return r
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

func printed(r *report) string {
	var b bytes.Buffer
	r.print(&b)
	return b.String()
}

func TestFreeHooksAreFree(t *testing.T) {
	r := proveFixtures(t, "", "free")
	if !r.free() {
		t.Errorf("convicted:\n%s", printed(r))
	}
	want := []string{
		"(*Queue).Push", "(*Queue).Loop", "(*Queue).Swap", "(*Queue).Start", "(*Queue).Call",
		"(*Queue).Pause", "(*Queue).pause", "Each", "(*Box).Get",
	}
	got := slices.Sorted(slices.Values(r.packages[0].hooked))
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("hooked functions:\n%v, want\n%v", got, want)
	}
}

// Each fixture has one cost that hooks do not have by themselves. The proof has to
// name the function and the cause, and nothing that is not to blame.
func TestCostsAreConvicted(t *testing.T) {
	// What cannot be stripped ends a proof early, so these are proved alone.
	reports := map[string]*report{
		"variable": proveFixtures(t, "", "variable"),
		"kept":     proveFixtures(t, "", "kept"),
	}
	together := proveFixtures(t, "", "argument", "loop", "budget", "stored", "method", "unreached")
	for _, test := range []struct{ fixture, fn, what string }{
		{"argument", "Start", "instructions with the hooks, 1 without"},
		{"variable", "Start", "variable.go:12: name is used by hooks only"},
		{"loop", "Tell", "instructions with the hooks"},
		{"budget", "mix", "can be inlined only without the hooks"},
		{"budget", "Caller", "instructions with the hooks"},
		{"kept", "init", "hooks.At is used other than by calling it"},
		{"kept", "Later", "hooks.At is used other than by calling it"},
		{"stored", "Store", "instructions with the hooks"},
		{"stored", "point", "a hook point is in the binary"},
		{"method", "(*Worker).Start", "instructions with the hooks"},
		{"method", "(*Worker).main-fm", "exists only with the hooks"},
		{"unreached", "each", "has no code"},
	} {
		r := reports[test.fixture]
		if r == nil {
			r = together
		}
		convicted := false
		for _, v := range r.packages {
			for _, f := range v.findings {
				convicted = convicted || f.fn == v.path+"."+test.fn &&
					strings.HasSuffix(v.path, "/"+test.fixture) && strings.Contains(f.what, test.what)
				if f.fn == v.path+".Stop" {
					t.Errorf("%s is convicted of %s", f.fn, f.what)
				}
			}
		}
		if !convicted {
			t.Errorf("not convicted: want %s.%s: %s, got\n%s", test.fixture, test.fn, test.what, printed(r))
		}
	}
}

func TestChaosBuildIsConvicted(t *testing.T) {
	r := proveFixtures(t, "chaos", "free")
	found := map[string]bool{}
	for _, f := range slices.Concat(r.packages[0].findings, r.binary) {
		found[f.fn[strings.LastIndexByte(f.fn, '/')+1:]+": "+f.what] = true
	}
	for _, want := range []string{
		"free.pushed: a hook point is in the binary",
		"seam.(*Point).At: a symbol of internal/seam is in the binary",
		"seam.Declare: a symbol of internal/seam is in the binary",
	} {
		if !found[want] {
			t.Errorf("missing: %s", want)
		}
	}
	for _, fn := range r.packages[0].hooked {
		if !slices.ContainsFunc(r.packages[0].findings, func(f finding) bool {
			_, owner := (&proof{report: r}).owner(f.fn)
			return owner == fn
		}) {
			t.Errorf("%s counts as identical in the chaos build", fn)
		}
	}
}

func TestExitCodes(t *testing.T) {
	for _, test := range []struct {
		args []string
		code int
		out  string
	}{
		{[]string{fixtures + "free"}, exitFree, "9 hooked functions of 11, identical\n"},
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
