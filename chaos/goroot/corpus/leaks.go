package corpus

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// leakPrograms is where Go's source tree has the programs that its own test of the goroutine-leak profile runs
// beside the kernels of GoKer, and leakTest is that test, below GOROOT.
const (
	leakPrograms = "src/runtime/testdata/testgoroutineleakprofile"
	leakTest     = "src/runtime/goroutineleakprofile_test.go"
)

// A LeakProgram is one of these programs.
type LeakProgram struct {
	Name string
	// Leaks are regular expressions of the leaks that Go's own test expects, such as
	// `ChanRecv\.func1\(.* \[chan receive\]`, and May those that it does not always find.
	Leaks, May []string
}

// LeakPrograms makes a module in an empty folder, in which each program runs as a test, with its calls of the
// profile. TestAll... fails unless the profile has each leak that Go's own test expects, and TestOnly... if it has
// any other.
func LeakPrograms(ctx context.Context, folder string) (programs []LeakProgram, err error) {
	root, err := goRoot(ctx)
	if err != nil {
		return nil, err
	}
	if programs, err = expectedLeaks(filepath.Join(root, leakTest)); err != nil {
		return nil, err
	}
	files := map[string]string{"go.mod": "module example.com/leaks\n\ngo 1.25.0\n", "leaks_test.go": leakTests(programs)}
	for _, name := range []string{"commonpatterns.go", "simple.go", "stresstests.go"} {
		text, err := os.ReadFile(filepath.Join(root, leakPrograms, name))
		if err != nil {
			return nil, err
		}
		s := strings.Replace(string(text), "\t\"os\"\n", "", 1)
		files[strings.TrimSuffix(name, ".go")+"_program_test.go"] = strings.NewReplacer("package main", "package leaks", "os.Stdout", "profiles", "os.Exit(0)", "close(exited)").Replace(s)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			return nil, err
		}
	}
	return programs, nil
}

// expectedLeaks reads Go's own test. The kernels of GoKer are left out.
func expectedLeaks(file string) (programs []LeakProgram, err error) {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && mentions(a.Lhs[0], "gokerTestCases") {
			return false
		}
		call, ok := n.(*ast.CallExpr)
		if !ok || err != nil {
			return err == nil
		}
		made, ok := call.Fun.(*ast.Ident)
		if !ok || made.Name != "makeTest" && made.Name != "makeFlakyTest" {
			return true
		}
		var texts []string
		for _, arg := range call.Args {
			lit, ok := arg.(*ast.BasicLit)
			if !ok {
				err = fmt.Errorf("%s: a call of %s has an argument that is no string", file, made.Name)
				return false
			}
			text, e := strconv.Unquote(lit.Value)
			if e != nil {
				err = fmt.Errorf("%s: %s: %w", file, lit.Value, e)
			}
			texts = append(texts, text)
		}
		p := LeakProgram{Name: texts[0], Leaks: texts[1:]}
		if made.Name == "makeFlakyTest" {
			p.Leaks, p.May = nil, p.Leaks
		}
		programs = append(programs, p)
		return true
	})
	slices.SortFunc(programs, func(a, b LeakProgram) int { return strings.Compare(a.Name, b.Name) })
	return programs, err
}

// leakTests is the file with the tests.
func leakTests(programs []LeakProgram) string {
	var w strings.Builder
	w.WriteString(leakTestsHead)
	for _, p := range programs {
		fmt.Fprintf(&w, "\nfunc TestAll%s(t *testing.T) { all(t, %[1]q, %#v) }\n", p.Name, slices.Concat([]string{}, p.Leaks))
		fmt.Fprintf(&w, "\nfunc TestOnly%s(t *testing.T) { only(t, %[1]q, %#v) }\n", p.Name, slices.Concat([]string{}, p.Leaks, p.May))
	}
	return w.String()
}

const leakTestsHead = `package leaks

import (
	"bytes"
	"io"
	"regexp"
	"runtime/pprof"
	"slices"
	"strings"
	"testing"
	"time"
)

const yieldCount = 10

var (
	programs = map[string]func(){}
	profiles io.Writer     // what a program prints
	exited   chan struct{} // by the one that ends its process
)

func register(name string, f func()) { programs[name] = f }

var header = regexp.MustCompile("^goroutine \\d+ .*?\\[(.*) \\(leaked\\)[^]]*\\]:$")

// leaks runs a program, and returns the leaks in the profile that it prints, each by the function that has been
// started and the reason of the wait, in the form of Go's own test. The goroutine that runs the program is left out:
// it is not the main one, which the profile leaves out.
func leaks(name string) (all []string) {
	var b bytes.Buffer
	profiles, exited = &b, make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		programs[name]()
	}()
	select {
	case <-done:
	case <-exited:
	}
	return parse(b.String())
}

// parse returns the leaks of a profile.
func parse(profile string) (all []string) {
	for stack := range strings.SplitSeq(profile, "\n\n") {
		lines := strings.Split(strings.TrimSpace(stack), "\n")
		m := header.FindStringSubmatch(lines[0])
		if m == nil {
			continue
		}
		for i := len(lines) - 1; i >= 2; i-- {
			if strings.HasPrefix(lines[i], "created by ") {
				if f := strings.TrimPrefix(lines[i-2], "example.com/leaks."); !strings.HasPrefix(f, "leaks.func1(") {
					all = append(all, f+" ["+m[1]+"]")
				}
				break
			}
		}
	}
	return all
}

// all fails unless the program has these leaks. Those that it has not when it takes the profile, since a goroutine has
// yet to run, a later profile has.
func all(t *testing.T, name string, expected []string) {
	found := leaks(name)
	for range 100 {
		expected = slices.DeleteFunc(expected, func(leak string) bool {
			return slices.ContainsFunc(found, regexp.MustCompile(leak).MatchString)
		})
		if len(expected) == 0 {
			return
		}
		time.Sleep(time.Millisecond)
		var b bytes.Buffer
		pprof.Lookup("goroutineleak").WriteTo(&b, 2)
		found = parse(b.String())
	}
	t.Errorf("no %q", expected)
}

// only fails if the program has another leak than these.
func only(t *testing.T, name string, expected []string) {
found:
	for _, found := range leaks(name) {
		for _, leak := range expected {
			if regexp.MustCompile(leak).MatchString(found) {
				continue found
			}
		}
		t.Error(found)
	}
}
`
