package unmodified

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/rouse-go/rouse/chaos/goroot"
)

// ownTests lists all tests of the worker (""), the tests of chaos/goroot that build with the overlay, and
// one that is built with the race detector.
var ownTests = []string{"", "TestDriver$", "TestEngine$", "TestStandardLibrary$", "TestJoin$", ownRaces}

const ownRaces = "TestDriverRaces$"

// buildOwn builds the tests of chaos/goroot itself.
func (m *Measurement) buildOwn(ctx context.Context) error {
	m.tests = &program{dir: filepath.Join(m.switcher.root, "chaos/goroot"), binary: filepath.Join(m.Folder, "goroot.test")}
	m.worker, m.races = filepath.Join(m.Folder, "worker.test"), filepath.Join(m.Folder, "races.test")
	for _, args := range [][]string{{m.tests.binary, "./chaos/goroot"}, {m.worker, "./chaos/goroot/worker"}, {m.races, "-race", "./chaos/goroot"}} {
		if args[0] == m.races && m.leavesOut(ownRaces) {
			continue
		}
		cmd := exec.CommandContext(ctx, "go", append([]string{"test", "-c", "-tags", "chaos", "-o"}, args...)...)
		cmd.Dir = m.switcher.root
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%w\n%s", err, out)
		}
	}
	return nil
}

// tryOwn tries each of the tests of chaos/goroot itself with all parts that no earlier test has noticed.
func (m *Measurement) tryOwn(ctx context.Context, parts []part, done func(Omission)) error {
	for _, test := range slices.DeleteFunc(slices.Clone(ownTests), m.leavesOut) {
		noticed := map[string]bool{}
		measure := func(ctx context.Context, number int) (by string, err error) { return m.noticedByOwn(ctx, test, number) }
		err := m.atATime(ctx, parts, measure, func(o Omission) {
			noticed[o.Kind+" "+o.Name] = o.By != ""
			done(o)
		})
		if err != nil {
			return err
		}
		parts = slices.DeleteFunc(slices.Clone(parts), func(p part) bool { return noticed[p.kind+" "+p.name] })
	}
	return nil
}

// noticedByOwn returns which of a test of chaos/goroot itself, which builds what it runs, and those below
// it fails each of two times: some fail now and then on a machine that has much to do.
func (m *Measurement) noticedByOwn(ctx context.Context, test string, number int) (by string, err error) {
	if by, err = m.ownFails(ctx, test, number); by == "" || err != nil {
		return "", err
	}
	again, err := m.ownFails(ctx, test, number)
	if again != by {
		return "", err
	}
	return by, err
}

// ownFails runs a test of chaos/goroot itself.
func (m *Measurement) ownFails(ctx context.Context, test string, number int) (by string, err error) {
	binary, dir := m.tests.binary, m.tests.dir
	switch test {
	case "":
		binary, dir = m.worker, filepath.Join(dir, "worker")
	case ownRaces:
		binary = m.races
	}
	cmd := exec.CommandContext(ctx, binary, "-test.run=^"+test, "-test.timeout=10m")
	// The go command does not see that a test reads the variable, and would take a result from its cache.
	cmd.Dir, cmd.Env = dir, append(os.Environ(), fmt.Sprintf("%s=%d", omitVariable, number), "XDG_CACHE_HOME="+m.Folder,
		"ROUSE_STD=-count=1 context internal/sync testing/synctest")
	out, err := cmd.CombinedOutput()
	if err == nil || ctx.Err() != nil {
		return "", ctx.Err()
	}
	fmt.Fprintf(m.Log, "%d: %s: %s\n", number, test, out)
	if line := failedLine.FindSubmatch(out); line != nil {
		return string(line[1]), nil
	}
	return test + ": " + firstLine(string(out)), nil
}

// failedLine matches the line of a failed test without failed subtests.
var failedLine = regexp.MustCompile(`(?m)^ *--- FAIL: (\S+) \(.*\)\n +\w+\.go:`)

// doNotBuild calls done for the parts without which the build fails, and returns the others.
func (m *Measurement) doNotBuild(ctx context.Context, parts []part, done func(Omission)) (others []part, err error) {
	for _, p := range parts {
		made, err := m.makeWithout(ctx, p)
		if err != nil {
			return nil, err
		}
		cmd := exec.CommandContext(ctx, made.Go, slices.Concat([]string{"build"}, made.Flags, []string{path.Dir(p.patch.File)})...)
		cmd.Dir, cmd.Env = m.switcher.root, append(os.Environ(), made.Env...)
		if out, err := cmd.CombinedOutput(); ctx.Err() != nil {
			return nil, ctx.Err()
		} else if err != nil {
			fmt.Fprintf(m.Log, "%s: %s\n", p.name, out)
			done(Omission{p.kind, p.name, "build"})
		} else {
			others = append(others, p)
		}
	}
	return others, m.switcher.use(m.switcher.patches)
}

// makeWithout makes the overlay of the copy without a part.
func (m *Measurement) makeWithout(ctx context.Context, p part) (*goroot.Overlay, error) {
	at := slices.IndexFunc(m.switcher.parts, func(q part) bool { return q.kind == p.kind && q.name == p.name })
	if err := m.switcher.use(slices.Delete(slices.Clone(m.switcher.patches), len(omitReaders)+at, len(omitReaders)+at+1)); err != nil {
		return nil, err
	}
	return m.make(ctx, m.switcher.root)
}

// noticedWithout is like noticed, for a part that has to be left out of the build.
func (m *Measurement) noticedWithout(ctx context.Context, p part) (by string, err error) {
	if _, err := m.makeWithout(ctx, p); err != nil {
		return "", err
	}
	if err := m.build(ctx); err != nil {
		return "", err
	}
	if by, err = m.noticed(ctx, 0); by != "" || err != nil {
		return by, err
	}
	return m.noticedByAllOwn(ctx)
}

// noticedByAllOwn returns the first test of chaos/goroot itself that fails with the copy's current content.
func (m *Measurement) noticedByAllOwn(ctx context.Context) (by string, err error) {
	for _, test := range slices.DeleteFunc(slices.Clone(ownTests), m.leavesOut) {
		if by, err = m.noticedByOwn(ctx, test, 0); by != "" || err != nil {
			return by, err
		}
	}
	return "", nil
}
