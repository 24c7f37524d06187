//go:build unix

package command

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress/internal/run"
)

// Catches: a pipe in the place of a recording for which explain --test waits, and another recording that is overwritten.
func TestCopyRecording(t *testing.T) {
	dir := t.TempDir()
	rec := &run.Recording{Recording: &recording.Recording{
		Kind: recording.Unmodified, Subject: "example.com/a TestA", Build: "go1.26.8 linux/amd64", Strategy: "random(7)", Clock: "lazy", Verdict: verdict.Deadlock, Summary: "x", Hash: 1,
		Entries: []recording.Entry{{Task: "main", Ops: 1, To: "main/0"}},
	}}
	name := func(base string) string { return filepath.Join(dir, base) }
	for range 2 { // the second finds the first
		if err := copyRecording(rec, name("x.rouse")); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := os.ReadFile(name("x.rouse")); err != nil || string(text) != rec.String() {
		t.Errorf("%s, %v", text, err)
	}
	if err := syscall.Mkfifo(name("pipe.rouse"), 0o600); err != nil {
		t.Fatal(err)
	}
	other := *rec.Recording
	other.Summary = "y"
	for file, err := range map[string]error{
		"other.rouse": other.Write(name("other.rouse")), "pipe.rouse": nil, "none.txt": os.WriteFile(name("none.txt"), []byte("none"), 0o600),
	} {
		if err != nil {
			t.Fatal(err)
		}
		if err := copyRecording(rec, name(file)); err == nil || !strings.HasSuffix(err.Error(), "another recording is there; rename one of them") {
			t.Errorf("%s: %v", file, err)
		}
	}
}
