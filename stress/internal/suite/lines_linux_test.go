package suite

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/rouse-go/rouse/stress/internal/prose"
)

// Catches: a //line directive that makes a report read a file that is no source, or that has no end.
func TestTimelinesOfLineDirectives(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	pipe, secret := filepath.Join(dir, "pipe"), filepath.Join(outside, "secret.go")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	write(t, outside, map[string]string{"secret.go": strings.Repeat("secret\n", 50)})
	write(t, dir, map[string]string{"go.mod": "module example.com/lines\n\ngo 1.25\n", "own.y": strings.Repeat("own\n", 50)})
	for name, of := range map[string]string{"pipe": pipe, "zero": "/dev/zero", "secret": secret, "passwd": "/etc/passwd", "own": filepath.Join(dir, "own.y")} {
		write(t, dir, map[string]string{"lines_test.go": "package lines\n\nimport (\n\t\"sync\"\n\t\"testing\"\n)\n\nfunc TestLines(t *testing.T) {\n\tvar mu sync.Mutex\n//line " + of + ":20\n\tmu.Lock()\n\tmu.Lock()\n}\n"})
		r := drawn(t, Options{dir: dir, Executions: 1})
		text, err := json.Marshal(r.Timelines)
		if err != nil || r.Timelines == nil {
			t.Fatalf("%s: %v, %+v", name, err, r)
		}
		if !strings.Contains(string(text), filepath.Base(of)) {
			t.Errorf("%s: the directive has no effect: %s", name, text)
		}
		if has := len(r.Timelines.Sources[prose.Relative(of)]) > 0; has != (name == "own") {
			t.Errorf("%s: its lines are there: %t", name, has)
		}
	}
}
