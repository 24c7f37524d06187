package foreign

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
)

// rayonVersion returns the versions that the program on rayon is built from: "rayon-1.6.1,
// rayon-core-1.10.1, rustc 1.95.0".
func rayonVersion(ctx context.Context) string {
	var parts []string
	for _, pattern := range []string{"rayon-1*", "rayon-core-1*"} {
		if found, _ := filepath.Glob(filepath.Join(Registry, pattern)); len(found) > 0 {
			parts = append(parts, filepath.Base(found[0]))
		}
	}
	return strings.Join(append(parts, firstWords(said(ctx, "rustc", "--version"), 2)), ", ")
}

// tbbVersion returns the versions for TBB: "TBB 2021.8.0, C++ 12.2.0".
func tbbVersion(ctx context.Context) string {
	return strings.Join([]string{"TBB " + said(ctx, "pkg-config", "--modversion", "tbb"), "C++ " + said(ctx, "c++", "-dumpfullversion")}, ", ")
}

// said returns the output of a program, or "?".
func said(ctx context.Context, name string, args ...string) string {
	out, err := exec.CommandContext(ctx, name, args...).Output()
	if err != nil || len(out) == 0 {
		return "?"
	}
	return strings.TrimSpace(string(out))
}

// firstWords returns the first n words of s.
func firstWords(s string, n int) string {
	words := strings.Fields(s)
	return strings.Join(words[:min(n, len(words))], " ")
}
