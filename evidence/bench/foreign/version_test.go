package foreign

import "testing"

// Catches: a tool that says nothing, or is not there, and ends the run; what it says with its newline.
func TestVersions(t *testing.T) {
	tool(t, "rustc", "echo rustc 1.2.3 of some day")
	tool(t, "pkg-config", "exit 1")
	tool(t, "c++", "echo 12.2.0")
	if got, want := firstWords(said(t.Context(), "rustc", "--version"), 2), "rustc 1.2.3"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := tbbVersion(t.Context()), "TBB ?, C++ 12.2.0"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
