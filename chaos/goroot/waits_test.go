package goroot

import (
	"slices"
	"strings"
	"testing"
)

// Catches: a reason to wait that nobody has judged, and is taken for that of a task.
func TestWaits(t *testing.T) {
	fake := func(text string) (string, []string) {
		tree := &tree{files: map[string]*file{"runtime/runtime2.go": newFile("runtime/runtime2.go", text)}}
		return tree.waitsOf(), tree.missing
	}
	const known = "const (\n\twaitReasonZero waitReason = iota\n\twaitReasonSelect\n\twaitReasonSleep\n\twaitReasonGCSweepWait // x\n"
	text, missing := fake(known + ")\n\nvar waitReasonStrings = [...]string{\n\twaitReasonSelect: \"select\",\n}\n")
	const want = `package runtime

func rouseWaits(reason waitReason) bool {
	switch reason {
	case waitReasonSelect:
		return true
	}
	return false
}

func rouseRuntimeWaits(reason waitReason) bool {
	switch reason {
	case waitReasonGCSweepWait:
		return true
	}
	return false
}
`
	if text != want || len(missing) > 0 {
		t.Errorf("%q\n%s", missing, text)
	}
	if _, missing := fake(known + "\twaitReasonOracle\n)\n"); len(missing) != 1 || !strings.Contains(missing[0], "waitReasonOracle: ") {
		t.Errorf("a new reason: %q", missing)
	}
	if _, missing := fake("package runtime\n"); !slices.Equal(missing, []string{"runtime/runtime2.go: no waitReason"}) {
		t.Errorf("no reason: %q", missing)
	}
}

// Catches: functions of package sync/atomic that keep their names, so that there are two of each.
func TestAtomics(t *testing.T) {
	src := t.TempDir()
	tree := &tree{src: src, files: map[string]*file{}}
	for _, name := range AtomicFiles {
		if strings.Contains(name, "*") {
			continue
		}
		tree.files[name] = newFile(name, "func AddInt32(addr *int32, delta int32) (new int32)")
	}
	tree.files["sync/atomic/doc.go"] = newFile("sync/atomic/doc.go", "//go:linknamestd SwapInt32\nfunc SwapInt32(addr *int32, new int32) (old int32)\n\n// LoadInt32 ...\nfunc LoadInt32(addr *int32) (val int32)")
	wrappers := tree.atomics()
	got, err := tree.files["sync/atomic/doc.go"].text()
	if want := "//go:linknamestd rSwapInt32\nfunc rSwapInt32(addr *int32, new int32) (old int32)\n\n// LoadInt32 ...\nfunc rLoadInt32(addr *int32) (val int32)"; err != nil || got != want {
		t.Errorf("%v\n%s", err, got)
	}
	if !strings.Contains(wrappers, "func SwapInt32(addr *int32, new int32) (old int32) {") || !strings.Contains(wrappers, "return rLoadInt32(addr)") {
		t.Errorf("wrappers:\n%s", wrappers)
	}
}
