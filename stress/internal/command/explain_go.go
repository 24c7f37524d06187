package command

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/internal/atomicfile"
	"github.com/rouse-go/rouse/internal/shell"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/internal/prose"
	"github.com/rouse-go/rouse/stress/internal/regress"
	"github.com/rouse-go/rouse/stress/internal/run"
	"github.com/rouse-go/rouse/stress/internal/suite"
)

// writeTest runs stress explain --test.
func (m *program) writeTest(c *cobra.Command, name, out string) error {
	rec, err := m.readRecorded(c, name)
	if err != nil {
		return err
	}
	if !rec.Kind.Scheduled() {
		return Usage("%s: it is a %s recording, which has no schedule that a test could repeat", rec.File, rec.Kind)
	}
	t, folder, err := regressionOf(c, rec)
	if err != nil {
		return err
	}
	p := newPrinter(c)
	if there := folder.Mentions(fmt.Sprintf("%q", t.File)); there != "" {
		p.line("%s repeats it already", prose.Relative(filepath.Join(folder.Dir, there)))
		return p.end()
	}
	file := ""
	if t.Name, file = folder.Free(bare(t.Of), string(rec.Verdict)); out != "" {
		file, err = within(folder.Dir, out)
	} else {
		file = filepath.Join(folder.Dir, file)
	}
	if err != nil {
		return err
	}
	source, err := t.Source(rec.Recording)
	if err != nil {
		return Failed(err)
	}
	if err := copyRecording(rec, filepath.Join(folder.Dir, filepath.FromSlash(t.File))); err != nil {
		return Failed(err)
	}
	if err := atomicfile.Write(file, source); err != nil {
		return Failed(err)
	}
	p.line("%s written to %s, which repeats %s", t.Name, prose.Relative(file), prose.Relative(filepath.Join(folder.Dir, filepath.FromSlash(t.File))))
	p.line("run: %s", goTest(rec, t.Name, folder.Dir))
	return p.end()
}

// bare returns a name without the words that precede it.
func bare(of string) string { return strings.TrimPrefix(of, ofScenario) }

// ofScenario precedes the name of a scenario.
const ofScenario = "the scenario "

// regressionOf returns the regression test of a recording, without its name, and the folder for it.
func regressionOf(c *cobra.Command, rec *run.Recording) (*regress.Test, *regress.Folder, error) {
	if rec.Scenario != nil {
		return ofItsScenario(rec)
	}
	_, name, err := rec.Test()
	if err != nil {
		return nil, nil, Usage("%s: %w", rec.File, err)
	}
	dir, own, err := suite.PackageFolder(c.Context(), unmodified(), rec.File, rec.Recording)
	switch {
	case err != nil:
		return nil, nil, failedTests(err)
	case !own:
		return nil, nil, Usage("%s: %s is not a package of the module here, so a test cannot be added to it", rec.File, dir)
	}
	folder, err := regress.ReadFolder(dir)
	if err != nil {
		return nil, nil, Failed(err)
	}
	t := &regress.Test{Of: name, Install: install()}
	if t.Package, t.Only = folder.Declares(t.Function()); t.Package == "" {
		return nil, nil, Usage("%s: %s has no %s", rec.File, dir, t.Function())
	}
	if rec.Kind == recording.Controlled && !strings.HasPrefix(name, "Test") {
		return nil, nil, Usage("%s: it is a recording of %s, want one of a test: a fuzz target or an example cannot be called by another", rec.File, name)
	}
	t.File = kept(dir, rec.File, t.Function())
	return t, folder, nil
}

// ofItsScenario is like regressionOf, for a scenario. The test goes into the current folder.
func ofItsScenario(rec *run.Recording) (*regress.Test, *regress.Folder, error) {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Path == "" || info.Path == "command-line-arguments" {
		return nil, nil, Usage("the package of this program is unknown, and a test could not run it: build it by the path of its package")
	}
	dir, err := os.Getwd()
	if err != nil {
		return nil, nil, Failed(err)
	}
	folder, err := regress.ReadFolder(dir)
	switch {
	case err != nil:
		return nil, nil, Failed(err)
	case folder.Package == "":
		return nil, nil, Usage("the current folder has no Go files; change to the package that the test is to go into")
	}
	t := &regress.Test{Of: ofScenario + rec.Scenario.Name, Package: folder.Package + "_test", Program: strings.TrimSuffix(info.Path, ".test")}
	t.File = kept(dir, rec.File, rec.Scenario.Name)
	return t, folder, nil
}

// kept returns the path of the recording for the test, relative to the folder of its package: its current path if
// that is below testdata, or else a path below testdata/chaos.
func kept(dir, file, of string) string {
	if absolute, err := filepath.Abs(file); err == nil {
		if below, err := filepath.Rel(dir, absolute); err == nil && filepath.IsLocal(below) && strings.HasPrefix(below, "testdata"+string(filepath.Separator)) {
			return filepath.ToSlash(below)
		}
	}
	return path.Join("testdata", "chaos", of, filepath.Base(file))
}

// copyRecording copies the recording to a file, unless it is that file. It does not overwrite another file.
func copyRecording(rec *run.Recording, to string) error {
	there, err := recording.Read(to)
	var other *recording.Error
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return rec.Write(to)
	case errors.As(err, &other), err == nil && there.String() != rec.String():
		return fmt.Errorf("%s: another recording is there; rename one of them", to)
	}
	return err
}

// within checks the name of a new test file in a folder, and returns its path.
func within(dir, out string) (string, error) {
	file, err := filepath.Abs(out)
	if err != nil {
		return "", Failed(err)
	}
	if !strings.HasSuffix(file, "_test.go") {
		return "", Usage("-o %s: want a name that ends in _test.go", out)
	}
	here, err := os.Stat(filepath.Dir(file))
	there, errThere := os.Stat(dir)
	if err != nil || errThere != nil || !os.SameFile(here, there) {
		return "", Usage("-o %s: want a file in %s, the folder of the package", out, prose.Relative(dir))
	}
	if _, err := os.Lstat(file); err == nil {
		return "", Usage("-o %s: the file exists", out)
	}
	return file, nil
}

// goTest returns the command that runs the written test.
func goTest(rec *run.Recording, name, dir string) string {
	words := []string{"go", "test"}
	if rec.Kind == recording.Controlled && rec.Scenario == nil {
		words = append(words, rec.BuildFlags()...)
	}
	pkg := filepath.ToSlash(prose.Relative(dir))
	if !filepath.IsAbs(pkg) && pkg != "." {
		pkg = "./" + pkg
	}
	return shell.Command(append(words, "-run", "^"+name+"$", pkg)...)
}

// released matches the version of a release.
var released = regexp.MustCompile(`^v\d+\.\d+\.\d+$`)

// install returns the command that installs this version of stress.
func install() string {
	version := outcome.ThisBuild().Version
	if !released.MatchString(version) {
		version = "latest"
	}
	return "go install github.com/rouse-go/rouse/cmd/stress@" + version
}
