package suite

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/stress/internal/report"
)

// lostUpdate is the body of a test that fails under some schedules.
const lostUpdate = `
	var mu sync.Mutex
	n := 0
	var adders sync.WaitGroup
	for range 2 {
		adders.Go(func() {
			mu.Lock()
			was := n
			mu.Unlock()
			mu.Lock()
			n = was + 1
			mu.Unlock()
		})
	}
	if adders.Wait(); n != 2 {
		t.Errorf("lost: n is %d", n)
	}
`

// kindFiles are packages of every kind.
var kindFiles = map[string]string{
	"go.mod": "module example.com/kinds\n\ngo 1.25\n",
	// Of the same name, in the package and in its external test package.
	"both/both.go":      "package both\n",
	"both/both_test.go": "package both\n\nimport \"testing\"\n\nfunc TestSame(t *testing.T) {}\n",
	"both/x_test.go":    "package both_test\n\nimport (\n\t\"sync\"\n\t\"testing\"\n)\n\nfunc TestSame(t *testing.T) {" + lostUpdate + "}\n",
	"cgo/cgo.go": `package cgo

// static int add(int a, int b) { return a + b; }
import "C"

func Add(a, b int) int { return int(C.add(C.int(a), C.int(b))) }
`,
	"cgo/cgo_test.go": `package cgo

import "testing"

func TestAdd(t *testing.T) {
	sum := make(chan int)
	go func() { sum <- Add(1, 2) }()
	if <-sum != 3 {
		t.Error("not 3")
	}
}
`,
	"exits/exits_test.go":     "package exits\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestMain(*testing.M) { os.Exit(0) }\n\nfunc TestX(t *testing.T) { t.Error(\"it runs\") }\n",
	"external/external.go":    "package external\n\nfunc One() int { return 1 }\n",
	"external/x_test.go":      "package external_test\n\nimport (\n\t\"testing\"\n\n\t\"example.com/kinds/external\"\n)\n\nfunc TestOne(t *testing.T) {\n\tif external.One() != 1 {\n\t\tt.Error(\"not 1\")\n\t}\n}\n",
	"fails/fails_test.go":     "package fails\n\nimport (\n\t\"fmt\"\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestMain(*testing.M) { fmt.Println(\"no database\"); os.Exit(3) }\n\nfunc TestX(t *testing.T) {}\n",
	"program/main.go":         "package main\n\nvar version = \"none\"\n\nfunc main() { println(version) }\n",
	"program/main_test.go":    "package main\n\nimport \"testing\"\n\nfunc TestVersion(t *testing.T) {\n\tif version != \"7\" {\n\t\tt.Error(version)\n\t}\n}\n",
	"returns/returns_test.go": "package returns\n\nimport \"testing\"\n\nfunc TestMain(*testing.M) {}\n\nfunc TestX(t *testing.T) { t.Error(\"it runs\") }\n",
	"server/server_test.go": `package server

import (
	"io"
	"net"
	"os"
	"sync"
	"testing"
)

var (
	address string
	mu      sync.Mutex
	jobs    = make(chan func())
)

func TestMain(m *testing.M) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	address = l.Addr().String()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			io.WriteString(c, "hello")
			c.Close()
		}
	}()
	go func() {
		for f := range jobs {
			f()
		}
	}()
	code := m.Run()
	l.Close()
	os.Exit(code)
}

func TestServer(t *testing.T) {
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(c); string(text) != "hello" {
		t.Error(string(text), err)
	}
}

func TestLock(t *testing.T) {
	mu.Lock()
	mu.Unlock()
}

func TestJob(t *testing.T) {
	done := make(chan bool)
	jobs <- func() { close(done) }
	<-done
}
`,
	"tagged/tagged.go": "package tagged\n",
	"tagged/tagged_test.go": `//go:build special

package tagged

import (
	"flag"
	"os"
	"testing"
)

var level = flag.Int("level", 1, "of the tests")

func TestMain(m *testing.M) {
	flag.Parse()
	if *level != 3 || flag.Arg(0) != "rest" {
		os.Exit(9)
	}
	os.Exit(m.Run())
}

func TestLevel(t *testing.T) {
	if *level != 3 {
		t.Error(*level)
	}
}
`,
}

// Catches: a package of which nothing was tested, in a run that is to fail then.
func TestWithoutRun(t *testing.T) {
	o := fakes(t, "exits-well")
	for _, fails := range []bool{false, true} {
		o.UncontrolledFails = fails
		r, err := Run(t.Context(), o)
		if said := fmt.Sprint(err); !fails && !strings.HasSuffix(said, ": TestMain does not run the tests") || fails && err != nil {
			t.Errorf("%v: %v", fails, err)
		}
		if len(r.Packages) != 1 || r.Broken() == 1 != fails || r.Unrun() != r.Broken() || r.Packages[0].Without+r.Packages[0].Problem != "TestMain does not run the tests" {
			t.Errorf("%+v", r)
		}
	}
}

// TestKindsOfPackages: packages as go test takes them, with and without the flags that they want.
func TestKindsOfPackages(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, kindFiles)
	o := real(t, dir, "./...")
	o.Executions = 100
	r, err := Run(t.Context(), o)
	for i := range r.Tests {
		if x := &r.Tests[i]; x.Test == "TestServer" && (x.Status == report.TestPassed || x.Status == report.TestUncontrolled) {
			x.Status, x.Verdict = "as the network has it", "" // it is outside of control
		}
	}
	want := []string{
		"TestSame ok pass", "TestSame#01 FAIL wrong-result", "TestAdd ok pass", "TestOne ok pass", "TestVersion FAIL wrong-result",
		"TestServer as the network has it", "TestLock ok pass", "TestJob ok pass",
		"example.com/kinds/exits TestMain does not run the tests", "example.com/kinds/fails its tests cannot be listed: the process ended: exit code 3",
		"example.com/kinds/returns TestMain does not run the tests", "example.com/kinds/tagged no test files",
	}
	if got := status(r); err != nil || !slices.Equal(got, want) {
		t.Fatalf("got %q, want %q\n%v, %+v", got, want, err, r)
	}
	if text := r.Packages[1].Problem; !strings.HasSuffix(text, "\nno database") {
		t.Errorf("the output of TestMain is not in %s", text)
	}
	same := r.Tests[1]
	if same.File != filepath.Join("both", "x_test.go") || !strings.Contains(same.Reproduce, " -run '^TestSame$' --replay 'both/testdata/chaos/TestSame#01/") {
		t.Errorf("%+v", same)
	}
	rec, err := recording.Read(same.Recording)
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewRepeater(t.Context(), Options{Run: "^TestSame$"}, same.Recording, rec)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if x, err := p.Again(t.Context()); err != nil || !x.Exact {
		t.Errorf("%+v, %v", x, err)
	}
	o = real(t, dir, "./program", "./tagged")
	o.Executions, o.Args = 10, []string{"-level=3", "rest"}
	o.Build = Build{Tags: "special", More: []string{"-ldflags=-X example.com/kinds/program.version=7"}}
	// The flags of a test binary are those of all packages, as with go test.
	write(t, dir, map[string]string{"program/flag_test.go": "package main\n\nimport \"flag\"\n\nfunc init() { flag.Int(\"level\", 0, \"\") }\n"})
	r, err = Run(t.Context(), o)
	if got := status(r); err != nil || !slices.Equal(got, []string{"TestVersion ok pass", "TestLevel ok pass"}) {
		t.Errorf("%q, %v, %+v", got, err, r)
	}
}

// TestWhatGoTestRuns: the seeds of fuzz tests and examples are tests, -run and -skip select subtests and seeds,
// and benchmarks are noted.
func TestWhatGoTestRuns(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"go.mod":                    "module example.com/all\n\ngo 1.25\n",
		"testdata/fuzz/FuzzA/named": "go test fuzz v1\nint(7)\n",
		"a_test.go": `package all

import (
	"fmt"
	"sync"
	"testing"
)

func TestA(t *testing.T) {
	for _, name := range []string{"good", "bad"} {
		t.Run(name, func(t *testing.T) {
			if name == "bad" {` + lostUpdate + `}
		})
	}
}

func FuzzA(f *testing.F) {
	f.Add(1)
	f.Fuzz(func(t *testing.T, seed int) {
		if seed == 7 {` + lostUpdate + `}
	})
}

func ExampleA() {
	var printers sync.WaitGroup
	for i := range 2 {
		printers.Go(func() { fmt.Println(i) })
	}
	printers.Wait()
	// Output:
	// 1
	// 0
}

func Example_unordered() {
	var printers sync.WaitGroup
	for i := range 2 {
		printers.Go(func() { fmt.Println(i) })
	}
	printers.Wait()
	// Unordered output:
	// 1
	// 0
}

func A() {}

func BenchmarkA(b *testing.B) {}
`})
	for _, x := range []struct{ run, skip, want string }{
		{"", "", "TestA FAIL, FuzzA FAIL, ExampleA FAIL, Example_unordered ok"},
		{"/(good|seed)", "Example", "TestA ok, FuzzA ok"},
		{"A/", "TestA/bad|FuzzA/named|Example", "TestA ok, FuzzA ok"},
		{"^(TestA|FuzzA)$/^(good|seed#0)$", "", "TestA ok, FuzzA ok"},
		{"Fuzz.*/named", "", "FuzzA FAIL"},
		{"", "A$", "Example_unordered ok"},
	} {
		o := real(t, dir)
		o.Run, o.Skip, o.Executions, o.Out = x.run, x.skip, 100, t.TempDir()
		r, err := Run(t.Context(), o)
		var got []string
		for _, test := range r.Tests {
			got = append(got, fmt.Sprintf("%s %s", test.Test, test.Status))
		}
		if err != nil || strings.Join(got, ", ") != x.want || len(r.Packages) != 1 || fmt.Sprint(r.Packages[0].Notes) != "[1 benchmark is not run]" {
			t.Errorf("-run %q -skip %q: got %q, want %s, %v", x.run, x.skip, got, x.want, err)
		}
		if x.run == "" && x.skip == "" && (r.Tests[1].File != "a_test.go" || r.Tests[1].Line == 0 || r.Tests[2].Line == 0) {
			t.Errorf("%+v", r.Tests)
		}
	}
}
