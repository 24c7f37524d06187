package arrows

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

const module = "github.com/rouse-go/rouse"

// A room is a part of the module with rules of its own. Paths are relative to
// the module; "p/..." is p and what lies below it. Every room may import itself
// and the standard library.
type room struct {
	packages string
	imports  []string // of the module
	outside  []string // of other modules; "..." is any
}

// The rooms, most specific first: a package belongs to the first that matches.
var rooms = []room{
	{packages: "internal/seam", imports: []string{"internal/self"}},
	{packages: "internal/self"},
	{packages: "internal/racing"},
	{packages: "internal/faketest"}, // for tests: see onlyTests
	{packages: "internal/nearest"},
	{packages: "internal/shell"},
	{packages: "internal/private", outside: []string{"golang.org/x/sys/..."}},
	{packages: "internal/process"},
	{packages: "internal/stdout", outside: []string{"golang.org/x/sys/..."}},
	{packages: "internal/input"},
	{packages: "internal/atomicfile"},
	{packages: "internal/plain"},
	{packages: "internal/yamltree", imports: []string{"internal/nearest"}, outside: []string{"github.com/goccy/go-yaml/..."}},
	{packages: "internal/command", imports: []string{"internal/nearest", "internal/stdout"}, outside: []string{"github.com/spf13/cobra", "github.com/spf13/pflag"}}, // for evidence/bench and evidence/corpus
	{packages: "internal/command/commandtest", imports: []string{"internal/command"}},                                                                               // for their tests: see onlyTests
	{packages: "internal/arrows"},
	{packages: "internal/recorder", imports: []string{"internal/seam"}},                            // for tests: see onlyTests
	{packages: "internal/forkjoin", imports: []string{"hooks/...", "pool"}},                        // for the tests of pool, and for stress
	{packages: "internal/proptest", imports: []string{"internal/shell"}, outside: []string{"..."}}, // for tests: see onlyTests
	{packages: "internal/orders", imports: []string{"chaos/strategy"}},
	{packages: "internal/evidence", imports: []string{"chaos/strategy", "internal/orders"}},
	{packages: "internal/explore", imports: []string{"chaos/control", "chaos/explain", "chaos/recording", "chaos/strategy", "chaos/verdict", "internal/evidence"}},
	{packages: "internal/page", imports: []string{"chaos/explain", "chaos/verdict", "internal/plain"}},
	{packages: "internal/reproduce", imports: []string{"chaos/..."}}, // for tests
	{packages: "hooks", imports: []string{"internal/seam", "internal/self"}, outside: []string{"golang.org/x/sys/..."}},
	{packages: "hooks/...", imports: []string{"internal/seam"}, outside: []string{"golang.org/x/sys/..."}},
	{packages: "sleep/...", imports: []string{"hooks/..."}, outside: []string{"golang.org/x/sys/..."}},
	{packages: "pool/poolprom", imports: []string{"pool"}, outside: []string{"github.com/prometheus/client_golang/..."}},
	{packages: "pool/burst/internal/original", imports: []string{"hooks/..."}, outside: []string{"golang.org/x/sys/..."}},
	{packages: "pool/burst/...", imports: []string{"hooks/...", "sleep/...", "pool/..."}, outside: []string{"golang.org/x/sys/..."}},
	{packages: "pool", imports: []string{"hooks/...", "sleep/...", "pool/internal/...", "internal/self"}},
	{packages: "pool/...", imports: []string{"hooks/...", "sleep/..."}},
	{packages: "chaos/goroot/wire", imports: []string{"chaos/explain", "chaos/recording", "chaos/strategy", "chaos/verdict", "internal/evidence"}},
	{packages: "chaos/goroot", imports: []string{".", "internal/atomicfile", "internal/input", "internal/private"}, outside: []string{"golang.org/x/mod/modfile"}},
	// The rooms of the engine: hooked and real know nothing of each other, and core of neither.
	{packages: "chaos/internal/core", imports: []string{"chaos/internal/firing", "chaos/internal/splitmix", "chaos/plan", "chaos/strategy", "chaos/verdict", "internal/goroutines", "internal/racing", "internal/seam"}},
	{packages: "chaos/internal/hooked/memory", imports: []string{"chaos/internal/core", "chaos/strategy", "internal/racing", "internal/seam"}},
	{packages: "chaos/internal/hooked", imports: []string{"chaos/internal/core", "chaos/internal/hooked/memory", "chaos/internal/splitmix", "chaos/strategy", "chaos/verdict", "internal/goroutines", "internal/racing", "internal/seam", "internal/self"}},
	{packages: "chaos/internal/real", imports: []string{"chaos/internal/core", "chaos/internal/splitmix", "chaos/plan", "chaos/strategy", "chaos/verdict", "internal/goroutines", "internal/seam"}},
	// Not the drop-ins: an engine would observe itself. Less in the normal build: see lean.
	{packages: "chaos/...", imports: []string{"hooks", "internal/seam", "internal/self", "internal/atomicfile", "internal/evidence", "internal/explore", "internal/goroutines", "internal/input", "internal/nearest", "internal/orders", "internal/plain", "internal/private", "internal/racing", "internal/shell", "internal/yamltree"}, outside: []string{"..."}},
	// The tests of sleep and pool import it.
	{packages: "stress/mutants/kill", imports: []string{"chaos/...", "internal/nearest"}},
	// The rooms of stress, from the bottom up.
	{packages: "stress/internal/prose"},
	{packages: "stress/internal/golden"},
	{packages: "stress/internal/fixture", imports: []string{"stress/subject"}}, // for tests: see onlyTests
	{packages: "stress/internal/chart"},
	{packages: "stress/internal/regress", imports: []string{"chaos/recording", "internal/input"}},
	{packages: "stress/internal/called"},
	{packages: "stress/internal/operator", outside: []string{"golang.org/x/tools/..."}},
	{packages: "stress/subject", imports: []string{"hooks/...", "chaos/verdict"}, outside: []string{"github.com/spf13/cobra"}},
	{packages: "stress/scenario", imports: []string{"hooks", "chaos", "chaos/control", "chaos/plan", "chaos/strategy", "chaos/verdict", "internal/input", "internal/nearest",
		"internal/yamltree", "stress/internal/called", "stress/internal/prose", "stress/subject"}, outside: []string{"github.com/santhosh-tekuri/jsonschema/v6/..."}},
	{packages: "stress/internal/outcome", imports: []string{"chaos/native", "chaos/verdict", "stress/internal/prose"}, outside: []string{"github.com/HdrHistogram/hdrhistogram-go"}},
	{packages: "stress/internal/run", imports: []string{"hooks/...", "chaos/...", "internal/...", "stress/internal/outcome", "stress/internal/prose", "stress/scenario", "stress/subject"}, outside: []string{"..."}},
	{packages: "stress/internal/report", imports: []string{"chaos/explain", "chaos/verdict", "internal/...", "stress/internal/chart", "stress/internal/outcome", "stress/internal/prose", "stress/scenario"}, outside: []string{"..."}},
	{packages: "stress/internal/campaign", imports: []string{"chaos/...", "internal/...", "stress/internal/outcome", "stress/internal/prose", "stress/internal/report", "stress/internal/run", "stress/scenario", "stress/subject"}, outside: []string{"..."}},
	{packages: "stress/internal/suite", imports: []string{"chaos/explain", "chaos/goroot", "chaos/goroot/wire", "chaos/recording", "chaos/strategy", "chaos/verdict", "internal/...", "stress/internal/outcome", "stress/internal/prose", "stress/internal/report"}},
	{packages: "stress/internal/mutate", imports: []string{"chaos/goroot", "chaos/goroot/wire", "internal/...", "stress/internal/operator", "stress/internal/outcome", "stress/internal/prose", "stress/internal/report", "stress/internal/suite"}, outside: []string{"golang.org/x/sync/errgroup", "golang.org/x/tools/go/packages"}},
	{packages: "stress/internal/command", imports: []string{"hooks", "chaos/...", "internal/...", "stress/internal/...", "stress/scenario", "stress/subject"}, outside: []string{"..."}},
	{packages: "stress", imports: []string{"stress/internal/command", "stress/subject"}},
	{packages: "stress/mutants", imports: []string{"hooks", "chaos/...", "internal/...", "stress/internal/...", "stress/scenario", "stress/mutants/kill"}, outside: []string{"..."}},
	// Subjects use what a user's program can use, and prose. No room of stress imports one: see nobody.
	{packages: "stress/subjects/pool", imports: []string{".", "hooks/...", "sleep", "pool", "chaos/native", "chaos/verdict", "internal/forkjoin", "stress/internal/prose", "stress/subject"}, outside: []string{"github.com/spf13/cobra"}},
	{packages: "stress/subjects/burst", imports: []string{"hooks/...", "pool/burst", "chaos/verdict", "stress/internal/prose", "stress/subject"}},
	// What users write: nothing of internal.
	{packages: "examples/...", imports: []string{"hooks/...", "chaos/...", "stress", "stress/subject"}},
	{packages: "cmd/stress", imports: []string{"stress", "stress/mutants", "stress/subjects/..."}},
	{packages: "CI/...", imports: []string{"internal/private", "internal/process"}},
	{packages: "."},
}

// onlyTests may be imported by tests, and by nothing else.
var onlyTests = []string{"internal/faketest", "internal/recorder", "internal/proptest", "internal/reproduce", "internal/command/commandtest", "stress/internal/golden", "stress/internal/fixture"}

// lean is what services are shipped with: in the normal build it imports no parser, and nothing
// of other modules but the system's calls. Package chaos/goroot is for commands.
var lean = []string{"hooks/...", "sleep/...", "chaos/...", "internal/explore"}

// fat says what is wrong with an edge of the normal build, or "".
func fat(e edge) string {
	from, _ := inModule(e.from)
	to, ours := inModule(e.to)
	switch {
	case e.test || std(e.to) || !matchAny(lean, from) || from == "chaos/goroot":
		return ""
	case to == "internal/yamltree" || !ours && !match("golang.org/x/sys/...", e.to):
		return "what services are shipped with does not import it"
	}
	return ""
}

// leaves may not be imported, not even by tests.
var leaves = []string{"cmd/...", "CI/...", "internal/arrows", "pool/burst/internal/original"}

// An edge is an import.
type edge struct {
	from, to string // import paths
	test     bool   // it is in a test file
}

// refuse says what is wrong with an edge, or "".
func refuse(e edge) string {
	if std(e.to) {
		return ""
	}
	from, _ := inModule(e.from)
	to, ours := inModule(e.to)
	switch {
	case ours && matchAny(leaves, to):
		return "nothing imports " + to
	case e.test:
		return ""
	case ours && matchAny(onlyTests, to):
		return "only tests import " + to
	}
	for _, r := range rooms {
		switch {
		case !match(r.packages, from):
		case ours && (match(r.packages, to) || matchAny(r.imports, to)):
			return ""
		case !ours && matchAny(r.outside, e.to):
			return ""
		case ours:
			return fmt.Sprintf("%s may import %q of the module", r.packages, r.imports)
		default:
			return fmt.Sprintf("%s may import %q of other modules", r.packages, r.outside)
		}
	}
	return from + " is in no room: say in DESIGN and here what it may import"
}

// std reports whether an import path is of the standard library: its first
// element has no dot.
func std(importPath string) bool {
	first, _, _ := strings.Cut(importPath, "/")
	return !strings.Contains(first, ".")
}

// inModule returns an import path relative to the module.
func inModule(importPath string) (string, bool) {
	if importPath == module {
		return ".", true
	}
	return strings.CutPrefix(importPath, module+"/")
}

func match(pattern, p string) bool {
	prefix, below := strings.CutSuffix(pattern, "...")
	return p == pattern || below && (prefix == "" || p == path.Clean(prefix) || strings.HasPrefix(p, prefix))
}

func matchAny(patterns []string, p string) bool {
	for _, pattern := range patterns {
		if match(pattern, p) {
			return true
		}
	}
	return false
}

// A listed package is what the go command says of one.
type listed struct {
	ImportPath, Dir                    string
	Imports, TestImports, XTestImports []string
}

// list lists the module's packages as one build sees them.
func list(t *testing.T, goos, tags string) []listed {
	t.Helper()
	cmd := exec.Command("go", "list", "-tags="+tags, "-json=ImportPath,Dir,Imports,TestImports,XTestImports", "./...")
	cmd.Dir = filepath.Join("..", "..")
	cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH=amd64", "CGO_ENABLED=0")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, &stderr)
	}
	var packages []listed
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := d.Decode(&p); err == io.EOF {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
		// go test sees what a test opens: a cached result is stale once this changes.
		for _, dir := range []string{p.Dir, filepath.Dir(p.Dir)} {
			if _, err := os.ReadDir(dir); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestArrows(t *testing.T) {
	refused := map[edge]string{}
	seen := 0
	for _, goos := range []string{"linux", "darwin", "windows"} {
		for _, tags := range []string{"", "chaos"} {
			for _, p := range list(t, goos, tags) {
				for _, imports := range []struct {
					paths []string
					test  bool
				}{{p.Imports, false}, {p.TestImports, true}, {p.XTestImports, true}} {
					for _, to := range imports.paths {
						seen++
						e := edge{p.ImportPath, to, imports.test}
						if why := refuse(e); why != "" {
							refused[e] = why
						}
						if why := fat(e); tags == "" && why != "" {
							refused[e] = why
						}
					}
				}
			}
		}
	}
	for e, why := range refused {
		t.Errorf("%s imports %s: %s", e.from, e.to, why)
	}
	if seen == 0 {
		t.Error("no import was looked at")
	}
}

// The positive control: the arrows that DESIGN forbids are refused, so that a
// clean result means something.
func TestForbiddenArrowsAreRefused(t *testing.T) {
	for _, e := range []edge{
		{"hooks", "chaos", false},
		{"hooks", "hooks/sync", false},
		{"hooks/sync", "chaos/native", false},
		{"hooks/sync", "pool", false},
		{"hooks", "go.uber.org/goleak", false},
		{"internal/seam", "hooks", false},
		{"internal/seam", "golang.org/x/sys/cpu", false},
		{"sleep", "pool", false},
		{"sleep", "chaos", false},
		{"sleep", "internal/seam", false},
		{"sleep", "go.uber.org/goleak", false},
		{"pool", "chaos", false},
		{"pool", "stress", false},
		{"stress/subject", "stress/scenario", false},
		{"stress/scenario", "stress/internal/run", false},
		{"stress/internal/run", "stress/internal/report", false},
		{"stress/internal/report", "stress/internal/run", false},
		{"stress/internal/run", "stress/internal/campaign", false},
		{"stress/internal/campaign", "stress/internal/command", false},
		{"stress/internal/run", "pool", false},
		{"stress/internal/run", "stress/subjects/pool", false},
		{"stress/internal/command", "sleep", false},
		{"stress/scenario", "pool/burst", false},
		{"stress/mutants", "pool", false},
		{"stress/subjects/pool", "stress/internal/run", false},
		{"stress/subjects/pool", "stress", false},
		{"pool", "internal/seam", false},
		{"pool", "github.com/goccy/go-yaml", false},
		{"pool", "internal/yamltree", false},
		{"sleep", "internal/yamltree", false},
		{"hooks", "internal/yamltree", false},
		{"internal/yamltree", "chaos/plan", false},
		{"pool", "golang.org/x/sys/unix", false},
		{"pool/burst", "chaos/control", false},
		{"pool/burst", "go.uber.org/goleak", false},
		{"chaos", "pool", false},
		{"chaos", "sleep", false},
		{"chaos/native", "pool/burst", false},
		{"chaos/control", "stress", false},
		{"chaos/internal/core", "chaos/internal/hooked", false},
		{"chaos/internal/core", "chaos/internal/real", false},
		{"chaos/internal/core", "chaos/control", false},
		{"chaos/internal/hooked", "chaos/internal/real", false},
		{"chaos/internal/hooked/memory", "chaos/internal/hooked", false},
		{"chaos/internal/real", "chaos/internal/hooked", false},
		{"chaos/internal/real", "hooks", false},
		{"chaos/native", "hooks/sync", false},
		{"stress", "cmd/stress", false},
		{"stress", "internal/seam", false},
		{"cmd/stress", "pool", false},
		{"cmd/stress", "chaos/native", false},
		{"pool", "cmd/stress", true},
		{"pool", "CI/zerocost", true},
		{"pool/burst", "pool/burst/internal/original", false},
		{"pool/burst", "pool/burst/internal/original", true},
		{"stress", "pool/burst/internal/original", false},
		{"pool", "internal/proptest", false},
		{"stress", "internal/proptest", false},
		{"stress", "internal/reproduce", false},
		{"stress/internal/command", "stress/internal/fixture", false},
		{"stress/internal/fixture", "stress/scenario", false},
		{"internal/reproduce", "pool", false},
		{".", "stress", false},
		{".", "github.com/goccy/go-yaml", false},
		{"examples/queue", "internal/seam", false},
		{"stress", "examples/queue", false},
		{"newroom", "pool", false},
		{"poolside", "hooks", false},
	} {
		if refuse(absolute(e)) == "" {
			t.Errorf("%s may import %s (in a test: %v)", e.from, e.to, e.test)
		}
	}
}

func TestFatIsRefused(t *testing.T) {
	for e, want := range map[edge]bool{
		{"chaos/plan", "internal/yamltree", false}:          true,
		{"chaos/remote", "github.com/goccy/go-yaml", false}: true,
		{"chaos/remote", "github.com/goccy/go-yaml", true}:  false,
		{"chaos/remote", "chaos/plan", false}:               false,
		{"hooks", "golang.org/x/sys/unix", false}:           false,
		{"stress", "internal/yamltree", false}:              false,
	} {
		if why := fat(absolute(e)); (why != "") != want {
			t.Errorf("%s imports %s (in a test: %v): %q", e.from, e.to, e.test, why)
		}
	}
}

func TestPermittedArrowsAreNot(t *testing.T) {
	for _, e := range []edge{
		{"hooks", "internal/seam", false},
		{"hooks/sync", "hooks", false},
		{"hooks/context", "hooks/channel", false},
		{"sleep", "hooks/atomic", false},
		{"pool", "sleep", false},
		{"pool/burst", "pool", false},
		{"pool/burst", "golang.org/x/sys/unix", false},
		{"pool", "sync/atomic", false},
		{"chaos", "internal/seam", false},
		{"chaos/native", "chaos", false},
		{"chaos/plan", "internal/yamltree", false},
		{"stress", "stress/internal/command", false},
		{"stress/internal/command", "stress/internal/campaign", false},
		{"stress/internal/campaign", "stress/internal/run", false},
		{"stress/internal/campaign", "stress/internal/report", false},
		{"stress/internal/run", "stress/scenario", false},
		{"stress/scenario", "internal/yamltree", false},
		{"stress/subjects/pool", "stress/subject", false},
		{"stress/internal/run", "stress/subjects/pool", true},
		{"examples/queue", "stress", false},
		{"cmd/stress", "stress", false},
		{"cmd/stress", "stress/subjects/pool", false},
		{"pool", "chaos", true},
		{"pool", "internal/proptest", true},
		{"sleep", "internal/reproduce", true},
	} {
		if why := refuse(absolute(e)); why != "" {
			t.Errorf("%s may not import %s: %s", e.from, e.to, why)
		}
	}
}

// absolute makes import paths of the module's paths in a table.
func absolute(e edge) edge {
	e.from = path.Join(module, e.from)
	if first, _, _ := strings.Cut(e.to, "/"); e.to == "." || std(first) && !strings.HasPrefix(e.to, "sync/") {
		e.to = path.Join(module, e.to)
	}
	return e
}
