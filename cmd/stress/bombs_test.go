package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// TestLargeRecordings: a recording with more than an execution has, or of another program with very
// many decisions, is refused where it is too large, or explained: with nothing that grows with the
// square of it, which would take a child longer than it may be silent.
func TestLargeRecordings(t *testing.T) {
	dir := t.TempDir()
	path, text := controlledRecording(t, dir)
	lines := strings.Count(text, "\n") - 1 // without its end
	entries := func(n int, line func(i int) string) string {
		var b strings.Builder
		b.WriteString(strings.TrimSuffix(byHand(text), "end\n"))
		for i := range n {
			b.WriteString(line(i) + "\n")
		}
		b.WriteString("end\n")
		return b.String()
	}
	for name, text := range map[string]string{
		fmt.Sprintf(":%d:3: found the path of a task, of 200004 bytes, want at most 65536", lines+1): byHand(text + "  main" + strings.Repeat("/0", 100_000) + " #1: run main/0\n"),
		fmt.Sprintf(":%d:16: found the path of a task, of 90004 bytes, want at most 65536", lines+1): byHand(text + "  main #1: run main" + strings.Repeat("/0", 45_000) + "\n"),
		":1310721:1: found 2000": entries(2_000_000, func(int) string { return "" }),
	} {
		file := write(t, dir, "x.rouse", text)
		for _, command := range []string{"replay", "explain", "shrink"} {
			got := in(t, dir, chaosBinary, command, file)
			got.want(t, 2)
			if got.out != "" || !strings.HasPrefix(got.errs, "stress: "+file+name) || strings.Count(got.errs, "\n") != 1 {
				t.Errorf("%s: %.200s%.200s, want %s", command, got.out, got.errs, name)
			}
		}
	}
	if got := in(t, dir, chaosBinary, "explain", path); got.code != 0 || strings.Contains(got.out, "gone: ") {
		t.Fatalf("the recording itself is not explained: %+v", got)
	}
	write(t, dir, "many.rouse", entries(400_000, func(i int) string { return fmt.Sprintf("  main sleep/found-wake #%d: drop", i+1000) }))
	got := in(t, dir, chaosBinary, "explain", "many.rouse")
	got.want(t, 0)
	if n := strings.Count(got.out, "\ngone: "); n != 101 || !strings.Contains(got.out, "\ngone: 399900 entries more\n") {
		t.Errorf("%d lines of what is gone\n%.3000s", n, got.out)
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "*.tmp")); len(files) != 0 {
		t.Errorf("left %q", files)
	}
}
