package goroot

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Catches: a flag of the user's that is lost, or that loses one of ours.
func TestUserFlags(t *testing.T) {
	for _, test := range []struct {
		goflags, build string // of build, blanks separate; _ is a blank
		overlay        string
		rest           string
		compiler       string // after all=..., std= and sync/atomic=...; | separates
	}{
		{"", "-tags x -v --trimpath", "", "-tags x -v --trimpath", ""},
		{"-mod=mod -overlay=a.json", "-p 2", "a.json", "-p 2", ""},
		{"'-overlay=a b.json' \"-gcflags=-l\"", "", "a b.json", "", "-l -d=ssa/intrinsics/off"},
		{"-overlay=a.json", "--overlay b.json -tags overlay", "b.json", "-tags overlay", ""},
		{"-gcflags=all=-N", "-gcflags=-m", "", "", "all=-N -d=ssa/intrinsics/off|std=-N|sync/atomic=-N -d=ssa/intrinsics/off|-m -d=ssa/intrinsics/off"},
		{"", "-gcflags all=-N_-l", "", "", "all=-N -l -d=ssa/intrinsics/off|std=-N -l|sync/atomic=-N -l -d=ssa/intrinsics/off"},
		{"", "-gcflags=./...=-N -compiler gc", "", "", "./...=-N -d=ssa/intrinsics/off"},
		{"", "-gcflags=runtime/...=-m -gcflags=std=-m", "", "", "runtime/...=-m|std=-m"},
		{"", "-gcflags=example.com/x=-m", "", "", "example.com/x=-m -d=ssa/intrinsics/off"},
		{"", "-gcflags= -v", "", "-v", "-d=ssa/intrinsics/off"},
	} {
		args := strings.Fields(test.build)
		for i := range args {
			args[i] = strings.ReplaceAll(args[i], "_", " ")
		}
		f, err := userFlags(test.goflags, args)
		if err != nil {
			t.Errorf("%q, %q: %v", test.goflags, test.build, err)
			continue
		}
		f.folders = []string{"net", "runtime"}
		all := f.compilerFlags()
		if !slices.Equal(all[:3], []string{"all=-d=ssa/intrinsics/off", "std=", "sync/atomic=-d=ssa/intrinsics/off"}) {
			t.Errorf("%q, %q: %q", test.goflags, test.build, all)
		}
		if rest, compiler := strings.Join(f.rest, " "), strings.Join(all[3:], "|"); f.overlay != test.overlay || rest != test.rest || compiler != test.compiler {
			t.Errorf("%q, %q: %q %q %q, want %q %q %q", test.goflags, test.build, f.overlay, rest, compiler, test.overlay, test.rest, test.compiler)
		}
	}
	byFolder := flags{folders: []string{"net", "runtime"}, modules: []string{"net/mine"}, byFolder: true,
		gcflags: []string{"all=-N", "net/mine/x=-l", "net/mined=-S", "net/http=-m"}}
	const off = "-d=ssa/intrinsics/off"
	if all := byFolder.compilerFlags(); !slices.Equal(all, []string{
		"all=" + off, "std=", "net/...=", "runtime/...=", "net/mine/...=" + off, "sync/atomic=" + off,
		"all=-N " + off, "std=-N", "net/...=-N", "runtime/...=-N", "net/mine/...=-N " + off, "sync/atomic=-N " + off,
		"net/mine/x=-l " + off, "net/mined=-S", "net/http=-m",
	}) {
		t.Errorf("by folder: %q", all)
	}
	debugged := flags{debug: true}
	if all := debugged.compilerFlags(); !slices.Equal(all, []string{"all=-N -l -d=ssa/intrinsics/off", "std=", "sync/atomic=-d=ssa/intrinsics/off"}) {
		t.Errorf("for a debugger: %q", all)
	}
	for _, test := range [][2]string{
		{"'-overlay=x", ""}, {"", "-overlay"}, {"", "-tags x -gcflags"}, {"", "-compiler=gccgo"}, {"-compiler=gccgo", ""}, {"", "-msan"}, {"-asan", ""},
	} {
		if _, err := userFlags(test[0], strings.Fields(test[1])); !Refused(err) {
			t.Errorf("%q: %v, want a FlagError", test, err)
		}
	}
}

// Catches: an overlay of the user's that is lost, or that replaces what is patched.
func TestUserOverlay(t *testing.T) {
	root, module, cache := t.TempDir(), t.TempDir(), t.TempDir()
	fakeRoot(t, root)
	write := func(table map[string]string) string {
		text, err := json.Marshal(replacement{table})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(module, "my.json"), text, 0o666); err != nil {
			t.Fatal(err)
		}
		return "my.json" // relative to the module, as all of its paths
	}
	for _, name := range []string{"with.go", "a.go"} {
		if err := os.WriteFile(filepath.Join(module, name), []byte("package x"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	own := filepath.Join(root, "src", "fmt", "print.go")
	user := write(map[string]string{"a.go": "with.go", own: filepath.Join(module, "with.go")})
	plain := mustMake(t, Options{Cache: cache, Dir: module, CompileOnly: true})
	for what, o := range map[string]Options{"option": {User: user}, "flag": {BuildFlags: []string{"-overlay", user}, User: "gone.json"}} {
		o.Cache, o.Dir, o.CompileOnly = cache, module, true
		made := mustMake(t, o)
		table := replaced(t, made)
		with := filepath.Join(module, "with.go")
		if table[filepath.Join(module, "a.go")] != with || table[own] != with || len(table) != len(replaced(t, plain))+2 {
			t.Errorf("%s: %d files, a.go %q", what, len(table), table[filepath.Join(module, "a.go")])
		}
		if slices.ContainsFunc(made.Flags, func(f string) bool { return f == user }) || !slices.Contains(made.Flags, "-overlay="+made.File) {
			t.Errorf("%s: flags %q", what, made.Flags)
		}
	}
	if again := mustMake(t, Options{Cache: cache, Dir: module, CompileOnly: true}); again.File != plain.File {
		t.Errorf("without the user's: %s, then %s", plain.File, again.File)
	}
	for _, test := range []struct{ user, want string }{
		{write(map[string]string{filepath.Join(root, "src", "runtime", "..", "runtime", "proc.go"): "with.go"}), "proc.go, which control has to patch"},
		{"gone.json", "gone.json"},
		{"a.go", "invalid character"},
	} {
		_, err := Make(t.Context(), Options{Cache: cache, Dir: module, User: test.user, CompileOnly: true})
		var flag *FlagError
		if !errors.As(err, &flag) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.user, err, test.want)
		}
	}
}

// Catches: GOFLAGS that are split differently from how they are joined, and a build flag that is lost.
func FuzzUserFlags(f *testing.F) {
	for _, text := range []string{"-race -tags=a,b", "'-ldflags=-X a=b c' -v", "\"-gcflags=all=-N -l\"", "-overlay=x.json", "-overlay x.json", "--compiler=gccgo", "-asan", "-msan=1", "'", "a'b", "-", "--", "=", "-gcflags", "\t\n\r ", "\u00a0-x"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		fields, err := split(text)
		if err != nil {
			if fields != nil || !strings.ContainsAny(text, `"'`) {
				t.Fatalf("%q: %q, %v", text, fields, err)
			}
			return
		}
		var quoted []string
		for _, field := range fields {
			switch {
			case !strings.Contains(field, `'`):
				field = `'` + field + `'`
			case !strings.Contains(field, `"`):
				field = `"` + field + `"`
			}
			quoted = append(quoted, field)
		}
		if again, err := split(strings.Join(quoted, "\t ")); err != nil || !slices.Equal(again, fields) {
			t.Fatalf("%q is %q, and joined and split again %q: %v", text, fields, again, err)
		}
		f, err := userFlags("", fields)
		if err != nil {
			return
		}
		for _, flag := range f.compilerFlags() {
			if strings.TrimSpace(flag) != flag && !slices.ContainsFunc(f.gcflags, func(own string) bool { return strings.Contains(flag, own) }) {
				t.Fatalf("%q has the compiler flag %q", fields, flag)
			}
		}
		own := slices.DeleteFunc(slices.Clone(fields), func(field string) bool { return slices.Contains(f.rest, field) })
		for _, field := range own { // what has been taken out is a flag that is read, or the value of one
			if name := strings.TrimLeft(field, "-"); !strings.HasPrefix(name, "overlay") && !strings.HasPrefix(name, "gcflags") && !strings.HasPrefix(name, "compiler") &&
				field != f.overlay && !slices.Contains(f.gcflags, field) && field != "gc" && !strings.Contains(text, "overlay") {
				t.Fatalf("%q is lost of %q", field, fields)
			}
		}
	})
}
