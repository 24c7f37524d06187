package corpus

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/chaos/recording"
)

// byRecordedTrace matches the output of a test that has repeated a recording exactly.
var byRecordedTrace = regexp.MustCompile(`again, as recorded in .*, by the recorded trace`)

// explore runs tests that call chaos.Explore, each in a folder of its own, where its recording stays.
func (w *Workshop) explore(ctx context.Context, p place, j job) (map[*Bug]*finding, error) {
	found := map[*Bug]*finding{}
	for _, b := range j.bugs {
		dir := filepath.Join(w.out(j), b.test(j.fixed))
		text, failed, err := w.explorer(ctx, p, b, b.test(j.fixed), dir, fmt.Sprintf("-chaos.seed=%d", j.seed), fmt.Sprintf("-chaos.executions=%d", j.executions))
		if err != nil {
			return nil, err
		}
		f := &finding{status: "ok", verdict: "pass", total: j.executions, report: text}
		found[b] = f
		if !failed {
			continue
		}
		files, err := filepath.Glob(filepath.Join(dir, "testdata/chaos/*/*.rouse"))
		if err != nil || len(files) != 1 {
			return nil, errors.Join(err, fmt.Errorf("%s has failed, and left the recordings %q, want one\n%s", b.test(j.fixed), files, text))
		}
		r, err := recording.Read(files[0])
		if err != nil {
			return nil, err
		}
		*f = finding{"FAIL", r.Verdict, r.Execution + 1, len(r.Entries), r.Execution + 1, r.Summary, text, files[0]}
	}
	return found, nil
}

// replayExplored returns how often, of times, a recording is reproduced by its trace.
func (w *Workshop) replayExplored(ctx context.Context, p place, b *Bug, f *finding, times int) (n int, err error) {
	for range times {
		text, _, err := w.explorer(ctx, p, b, b.Test, w.Dir, "-chaos.replay="+f.recording)
		if err != nil {
			return 0, err
		}
		if byRecordedTrace.MatchString(text) {
			n++
		}
	}
	return n, nil
}

// explorer builds the package of a bug with the hooks, unless that has been done, and runs one of its tests in dir.
func (w *Workshop) explorer(ctx context.Context, p place, b *Bug, test, dir string, args ...string) (text string, failed bool, err error) {
	binary := filepath.Join(w.Dir, "explorers", b.Set.Name, strings.ReplaceAll(b.Package, "/", "-")+".test")
	build := []string{"test", "-tags", "chaos", "-c", "-o", binary}
	rest := b.Args
	if i := slices.Index(rest, "--race"); i >= 0 {
		binary += ".race"
		build = []string{"test", "-race", "-tags", "chaos", "-c", "-o", binary}
		rest = slices.Delete(slices.Clone(rest), i, i+1)
	}
	err = w.once(binary, func() error {
		_, err := goCommand(ctx, p.dir, p.env, append(build, b.Package)...)
		return err
	})
	if err != nil {
		return "", false, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", false, err
	}
	cmd := exec.CommandContext(ctx, binary, append(append([]string{"-test.run=^" + regexp.QuoteMeta(test) + "$", "-test.timeout=30m"}, args...), rest...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		return string(out), true, nil
	}
	if bytes.Contains(out, []byte("no tests to run")) {
		err = errors.New("there is no such test")
	}
	if err != nil {
		err = fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, out)
	}
	return string(out), false, err
}
