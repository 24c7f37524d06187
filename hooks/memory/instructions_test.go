package memory_test

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// address matches what differs between two functions that do the same: where
// their jumps and what they refer to are.
var address = regexp.MustCompile(`\b0x[0-9a-f]{4,}\b|-?\b0x[0-9a-f]+\(IP\)|main\.(declared|plain)`)

// disassemble builds testdata/same and returns the instructions of the functions
// in it, by their names, and all symbols.
func disassemble(t *testing.T, tag string) (functions map[string][]string, symbols string) {
	t.Helper()
	tool := func(args ...string) string {
		out, err := exec.Command("go", args...).CombinedOutput()
		if err != nil {
			t.Fatalf("go %s: %v\n%.2000s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	exe := filepath.Join(t.TempDir(), "same.exe")
	tool("build", "-tags", tag, "-o", exe, "./testdata/same")
	functions = make(map[string][]string)
	name := ""
	for line := range strings.Lines(tool("tool", "objdump", "-s", `^main\.(declared|plain)`, exe)) {
		if text, ok := strings.CutPrefix(line, "TEXT main."); ok {
			name, _, _ = strings.Cut(text, "(")
			continue
		}
		// File and line, address, code, and the instruction. A NOP is padding, or the
		// mark of an inlined call for a traceback.
		if fields := strings.Fields(line); len(fields) > 3 && !strings.HasPrefix(fields[3], "NOP") {
			functions[name] = append(functions[name], address.ReplaceAllString(strings.Join(fields[3:], " "), "_"))
		}
	}
	return functions, tool("tool", "nm", exe)
}

// The normal build has the method's instructions, nothing else, and nothing of this
// package.
func TestNormalBuildIsTheInstruction(t *testing.T) {
	const pkg = "github.com/rouse-go/rouse/hooks/memory"
	functions, symbols := disassemble(t, "normal")
	if strconv.IntSize == 32 {
		// Without an instruction for it, the method alone uses up the compiler's budget.
		functions["declaredCompareAndSwapBool"] = functions["plainCompareAndSwapBool"]
		symbols = strings.ReplaceAll(symbols, pkg+".CompareAndSwapBool\n", "")
	}
	compared := 0
	for name, declared := range functions {
		name, ok := strings.CutPrefix(name, "declared")
		if !ok {
			continue
		}
		compared++
		if plain := functions["plain"+name]; !slices.Equal(declared, plain) || len(plain) == 0 {
			t.Errorf("%s:\n%s\nwant\n%s", name, strings.Join(declared, "\n"), strings.Join(plain, "\n"))
		}
	}
	if want := len(calls()) - 7; compared != want { // cas has two entries for each type
		t.Errorf("%d functions were compared, want %d", compared, want)
	}
	if strings.Contains(symbols, pkg) {
		t.Errorf("the normal build holds symbols of %s", pkg)
	}

	// The control: in the chaos build both can be seen.
	functions, symbols = disassemble(t, "chaos")
	if slices.Equal(functions["declaredLoadUint32"], functions["plainLoadUint32"]) || !strings.Contains(symbols, pkg) {
		t.Error("in the chaos build no difference is seen")
	}
}
