package suite

import (
	"cmp"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// sinceFiles are those of a repository with a module in a folder. b is imported by a, by the tests of c, and through a
// by the external tests of e.
var sinceFiles = map[string]string{
	"README.md":                        "text",
	".gitignore":                       "*.ignored\ngenerated.go\n",
	"mod/go.mod":                       "module example.com/m\n\ngo 1.25\n",
	"mod/root.go":                      "package m\n",
	"mod/doc/doc.md":                   "text",
	"mod/a/a.go":                       "package a\n\nimport _ \"example.com/m/b\"\n",
	"mod/a/a_test.go":                  "package a\n",
	"mod/b/b.go":                       "package b\n",
	"mod/b/b_test.go":                  "package b\n",
	"mod/b/notes.txt":                  "text",
	"mod/b/testdata/module/go.mod":     "module example.com/data\n",
	"mod/b/testdata/module/data.go":    "package data\n",
	"mod/b/testdata/spaced \"name\"\n": "text",
	"mod/c/c.go":                       "package c\n",
	"mod/c/c_test.go":                  "package c\n\nimport _ \"example.com/m/b\"\n",
	"mod/d/d.go":                       "package d\n\nimport _ \"embed\"\n\n//go:embed static/*.txt\nvar X string\n",
	"mod/d/d_test.go":                  "package d\n\nimport \"embed\"\n\n//go:embed more sub/*.txt\nvar Y embed.FS\n",
	"mod/d/static/x.txt":               "text",
	"mod/d/more":                       "text",
	"mod/d/sub/sub.go":                 "package sub\n",
	"mod/d/sub/x.txt":                  "text",
	"mod/e/e.go":                       "package e\n",
	"mod/e/e_test.go":                  "package e_test\n\nimport _ \"example.com/m/a\"\n",
	"mod/f/f.go":                       "package f\n\nimport _ \"example.com/m/d\"\n",
	"mod/g/g.go":                       "package g\n\nfunc F()\n",
	"mod/g/g.s":                        "#include \"inc/g.inc\"\n",
	"mod/g/inc/g.inc":                  "",
	"mod/h/h.go":                       "package h\n\nimport _ \"example.com/m/g\"\n",
	"mod/nested/go.mod":                "module example.com/nested\n\ngo 1.25\n",
	"mod/nested/nested.go":             "package nested\n",
	"other/other.go":                   "package other\n",
}

// git runs git in a folder, without the user's configuration.
func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "protocol.file.allow=always", "-c", "init.defaultBranch=main"}, args...)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// repository makes a repository with a commit, whose module is in the folder mod, which becomes the current one.
func repository(t *testing.T, files map[string]string) (dir string) {
	t.Helper()
	for _, v := range os.Environ() {
		if name, value, _ := strings.Cut(v, "="); strings.HasPrefix(name, "GIT_") { // of a hook that runs the tests
			t.Setenv(name, value) // restored afterwards
			os.Unsetenv(name)
		}
	}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	dir = t.TempDir()
	write(t, dir, files)
	git(t, dir, "init", "-q")
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-q", "-m", "x")
	return dir
}

// selected are the packages that --since selects, by the last words of their paths.
func selected(t *testing.T, o Options) (string, error) {
	t.Helper()
	s := &session{Options: o}
	packages, err := s.list(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	changed, err := s.changedSince(t.Context(), packages)
	var names []string
	for _, p := range changed {
		names = append(names, cmp.Or(strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, "example.com/m"), "/"), "."))
	}
	return strings.Join(names, " "), err
}

const allOfSince = ". a b c d d/sub e f g h"

// Catches: a package that may depend on a change and is left out, and one that is tested for nothing.
func TestSince(t *testing.T) {
	edits := func(names ...string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			for _, name := range names {
				text, _ := os.ReadFile(filepath.Join(dir, name)) // or it is new
				write(t, dir, map[string]string{name: string(text) + "// more\n"})
			}
		}
	}
	removes := func(name string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			if err := os.Remove(filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, x := range map[string]struct {
		change func(t *testing.T, dir string)
		want   string
	}{
		"nothing":                        {func(*testing.T, string) {}, ""},
		"a leaf":                         {edits("mod/a/a.go"), "a e"},
		"a dependency":                   {edits("mod/b/b.go"), "a b c e"},
		"its tests":                      {edits("mod/b/b_test.go"), "b"},
		"another file of it":             {edits("mod/b/notes.txt"), "b"},
		"its data":                       {edits("mod/b/testdata/module/data.go"), "b"},
		"the module of its data":         {edits("mod/b/testdata/module/go.mod"), "b"},
		"a quoted name":                  {edits("mod/b/testdata/spaced \"name\"\n"), "b"},
		"an embedded file":               {edits("mod/d/static/x.txt"), "d f"},
		"a new one":                      {edits("mod/d/static/new.txt"), "d f"},
		"one of tests":                   {edits("mod/d/more"), "d"},
		"one in another package":         {edits("mod/d/sub/x.txt"), "d d/sub"},
		"an included file":               {edits("mod/g/inc/g.inc"), "g h"},
		"the package of the module":      {edits("mod/root.go"), "."},
		"a document":                     {edits("mod/doc/doc.md"), "."},
		"outside of the module":          {edits("README.md", "other/other.go", "new.go"), ""},
		"a nested module":                {edits("mod/nested/nested.go", "mod/nested/go.mod"), ""},
		"go.mod":                         {edits("mod/go.mod"), allOfSince},
		"a new go.sum":                   {edits("mod/go.sum"), allOfSince},
		"a new file":                     {func(t *testing.T, dir string) { write(t, dir, map[string]string{"mod/b/new.go": "package b\n"}) }, "a b c e"},
		"a new test":                     {edits("mod/f/f_test.go"), "f"},
		"an ignored file":                {edits("mod/b/x.ignored"), ""},
		"an ignored file that is source": {func(t *testing.T, dir string) { write(t, dir, map[string]string{"mod/b/generated.go": "package b\n"}) }, "a b c e"},
		"a removed file": {func(t *testing.T, dir string) {
			write(t, dir, map[string]string{"mod/b/new.go": "package b\n"})
			git(t, dir, "add", ".")
			git(t, dir, "commit", "-qm", "x")
			removes("mod/b/new.go")(t, dir)
			git(t, dir, "tag", "base")
		}, "a b c e"},
		"a removed test": {removes("mod/c/c_test.go"), "c"},
		"a renamed file": {func(t *testing.T, dir string) { git(t, dir, "mv", "mod/b/notes.txt", "mod/c/notes.txt") }, "b c"},
		"a staged file":  {func(t *testing.T, dir string) { edits("mod/a/a.go")(t, dir); git(t, dir, "add", ".") }, "a e"},
		"a commit": {func(t *testing.T, dir string) {
			git(t, dir, "tag", "base")
			edits("mod/a/a.go")(t, dir)
			git(t, dir, "commit", "-qam", "x")
		}, "a e"},
		"a file that does not compile": {func(t *testing.T, dir string) { write(t, dir, map[string]string{"mod/c/c.go": "package"}) }, "c"},
		"an import of what is not there": {func(t *testing.T, dir string) {
			write(t, dir, map[string]string{"mod/b/b.go": "package b\n\nimport _ \"example.com/none\"\n"})
		}, "a b c e"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := repository(t, sinceFiles)
			git(t, dir, "config", "diff.relative", "true")
			git(t, dir, "config", "diff.noprefix", "true")
			o := real(t, filepath.Join(dir, "mod"), "./...")
			o.Since = "HEAD"
			x.change(t, dir)
			if exec.Command("git", "-C", dir, "rev-parse", "-q", "--verify", "base").Run() == nil {
				o.Since = "base"
			}
			if got, err := selected(t, o); err != nil || got != x.want {
				t.Errorf("got %q, want %q; %v", got, x.want, err)
			}
		})
	}
}

// Catches: sources that this repository does not have, and that count as unchanged.
func TestSinceElsewhere(t *testing.T) {
	outside := t.TempDir()
	write(t, outside, map[string]string{"go.mod": "module example.com/dep\n\ngo 1.25\n", "dep.go": "package dep\n"})
	dir := repository(t, map[string]string{
		"mod/go.mod": "module example.com/m\n\ngo 1.25\n\nrequire example.com/dep v0.0.0\n\nreplace example.com/dep => " + outside + "\n",
		"mod/a/a.go": "package a\n\nimport _ \"example.com/dep\"\n", "mod/b/b.go": "package b\n",
	})
	o := real(t, filepath.Join(dir, "mod"), "./...")
	o.Since = "HEAD"
	if got, err := selected(t, o); err != nil || got != "a" {
		t.Errorf("%q, %v", got, err)
	}
	o.Packages = []string{"strings"}
	if got, err := selected(t, o); err != nil || got != "strings" {
		t.Errorf("%q, %v", got, err)
	}
	o.Packages, o.Build.More = []string{"./..."}, []string{"-overlay=x.json"}
	write(t, dir, map[string]string{"mod/x.json": "{}"})
	if got, err := selected(t, o); err != nil || got != "a b" {
		t.Errorf("%q, %v", got, err)
	}
}

// Catches: a package that counts as unchanged though nobody knows what it depends on.
func TestSinceBroken(t *testing.T) {
	dir := repository(t, map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.25\n", "a/a.go": "package a\n\nimport _ \"example.com/none\"\n",
		"b/b.go": "package b\n", "b/b_test.go": "package b\n\nimport _ \"example.com/none\"\n", "c/c.go": "package c\n",
		"d/d.go": "package d\n\nimport _ \"example.com/m/a\"\n", "e/e.go": "package e\n\nimport _ \"example.com/m/b\"\n",
	})
	o := real(t, dir, "./...")
	o.Since = "HEAD"
	if got, err := selected(t, o); err != nil || got != "a b d" {
		t.Errorf("%q, %v", got, err)
	}
}

// Catches: a change in a submodule, and a repository that is reached through a symbolic link.
func TestSinceSubmodule(t *testing.T) {
	lib := repository(t, map[string]string{"go.mod": "module example.com/lib\n\ngo 1.25\n", "lib.go": "package lib\n"})
	dir := repository(t, map[string]string{
		"mod/go.mod": "module example.com/m\n\ngo 1.25\n\nrequire example.com/lib v0.0.0\n\nreplace example.com/lib => ../lib\n",
		"mod/a/a.go": "package a\n\nimport _ \"example.com/lib\"\n", "mod/b/b.go": "package b\n",
	})
	git(t, dir, "submodule", "--quiet", "add", lib, "lib")
	git(t, dir, "commit", "-qm", "x")
	git(t, dir, "config", "diff.ignoreSubmodules", "all")
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{dir, link} {
		o := real(t, filepath.Join(dir, "mod"), "./...")
		o.Since = "HEAD"
		write(t, dir, map[string]string{"lib/lib.go": "package lib\n"})
		if got, err := selected(t, o); err != nil || got != "" {
			t.Errorf("%q, %v", got, err)
		}
		write(t, dir, map[string]string{"lib/lib.go": "package lib\n\nvar X int\n"})
		if got, err := selected(t, o); err != nil || got != "a" {
			t.Errorf("%q, %v", got, err)
		}
	}
}

// Catches: a commit that is not there, or no repository, that is a crash, or a run of all packages or none.
func TestSinceBadInput(t *testing.T) {
	dir := repository(t, sinceFiles)
	shallow := filepath.Join(t.TempDir(), "shallow")
	edit := map[string]string{"mod/b/b.go": "package b\n\nvar X int\n"}
	write(t, dir, edit)
	git(t, dir, "commit", "-qam", "x")
	git(t, dir, "clone", "-q", "--depth=1", "file://"+dir, shallow)
	none := t.TempDir()
	write(t, none, sinceFiles)
	for _, x := range []struct{ dir, since, want string }{
		{dir, "none", "--since none: want a commit of the repository " + dir + "; git: fatal: Needed a single revision"},
		{dir, "--all", "--since --all: want a commit"},
		{dir, "HEAD:mod", "--since HEAD:mod: want a commit"},
		{dir, "HEAD..HEAD", "--since HEAD..HEAD: want a commit"},
		{shallow, "HEAD~1", "; this clone is shallow, and may lack it"},
		{none, "HEAD", "--since HEAD: git: fatal: not a git repository"},
	} {
		o := real(t, filepath.Join(x.dir, "mod"), "./...")
		o.Since = x.since
		t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(none))
		_, err := Run(t.Context(), o)
		var input *InputError
		if !errors.As(err, &input) || !strings.Contains(err.Error(), x.want) || strings.Contains(err.Error(), "\n") && x.dir != none {
			t.Errorf("%s: got %v, want %s", x.since, err, x.want)
		}
	}
	o := real(t, filepath.Join(dir, "mod"), "./...")
	o.Since = "HEAD"
	if r, err := Run(t.Context(), o); err != nil || r.Suite.Unchanged != 10 || len(r.Tests) != 0 {
		t.Errorf("%+v, %v", r, err)
	}
	tool, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	if err := os.Symlink(tool, filepath.Join(bin, "go")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin)
	var input *InputError
	if _, err := Run(t.Context(), o); !errors.As(err, &input) || !strings.Contains(err.Error(), "--since HEAD: the git command: ") {
		t.Errorf("without git: %v", err)
	}
}

// Catches: packages that are left out and not counted, and an exit code that says that something is missing.
func TestSinceRun(t *testing.T) {
	dir := repository(t, sinceFiles)
	o := real(t, filepath.Join(dir, "mod"), "./...")
	o.Since = "HEAD"
	write(t, dir, map[string]string{"mod/root.go": "package m\n\nvar X int\n", "mod/d/d_test.go": sinceFiles["mod/d/d_test.go"] + "// more\n"})
	r, err := Run(t.Context(), o)
	if err != nil || r.Suite.Packages != 2 || r.Suite.Unchanged != 8 || len(r.Packages) != 2 {
		t.Errorf("%+v, %v", r, err)
	}
}
