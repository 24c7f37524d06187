package regress

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"text/template"
	"text/template/parse"

	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/verdict"
)

// hostile is what somebody may write into a field so that it becomes code, a directive, or the end of the text around it.
var hostile = []string{
	"`)}; func init() { panic(1) }; var _ = (`", `")}; func init() { panic(1) }; var _ = ("`, "x\n*/ func init() { panic(1) } /*\n", "x\nfunc init() { panic(1) }\n",
	"x\r\nfunc init() { panic(1) }\r\n", "\n//go:generate touch ran\n", "\n//go:embed source.go\nvar s string\n", "//go:build ignore", "//line /dev/zero:1", "/*", "*/", `\`, `\"`, "%s%n%!",
	"{{.Name}}{{call .Source}}", "\x00", "\xff\xfe", "\ufeff", "\u2028func init() {}\u2028", "\u202e", "\x1b]0;x\a", "$(touch ran)", "; touch ran", "'; touch ran; '", strings.Repeat("long ", 2000), "",
}

// kinds are a recording and a test of each kind that has a template.
func kinds() map[string]func() (*Test, *recording.Recording) {
	of := func(r recording.Recording) func() (*Test, *recording.Recording) {
		return func() (*Test, *recording.Recording) {
			r := r
			r.Build, r.Verdict, r.Summary = "go1.26.0 linux/amd64", verdict.Deadlock, "stuck"
			return &Test{Package: "a", Name: "TestQueueX", Of: "TestQueue/empty", File: "testdata/x.rouse", Program: "example.com/q/stress", Install: "go install X"}, &r
		}
	}
	return map[string]func() (*Test, *recording.Recording){
		"unmodified": of(recording.Recording{Kind: recording.Unmodified}),
		"explored":   of(recording.Recording{Kind: recording.Controlled}),
		"scenario":   of(recording.Recording{Kind: recording.Controlled, Setup: "x"}),
	}
}

// shape is what a file consists of, but for names and the values of literals; and its directives.
func shape(t *testing.T, what string, source []byte) string {
	file, err := parser.ParseFile(token.NewFileSet(), "x.go", source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatalf("%s: %v\n%s", what, err, source)
	}
	var b strings.Builder
	ast.Inspect(file, func(n ast.Node) bool {
		switch c := n.(type) {
		case *ast.Comment:
			if strings.HasPrefix(c.Text, "/*") || strings.HasPrefix(c.Text, "//go:") || strings.HasPrefix(c.Text, "//line") || strings.HasPrefix(c.Text, "//export") {
				fmt.Fprintf(&b, "%q ", c.Text)
			}
		case *ast.CommentGroup, nil:
		case *ast.BasicLit:
			fmt.Fprintf(&b, "%s ", c.Kind)
		default:
			fmt.Fprintf(&b, "%T ", n)
		}
		return true
	})
	return b.String()
}

// Catches: a value of a recording that becomes code, by any field of each kind; and one that is lost.
func TestSourceIsInert(t *testing.T) {
	for kind, make := range kinds() {
		test, rec := make()
		source, err := test.Source(rec)
		if err != nil {
			t.Fatal(err)
		}
		harmless := shape(t, kind, source)
		fields := 0
		for part := range 2 {
			n := reflect.TypeOf([]any{*test, *rec}[part]).NumField()
			for i := range n {
				for _, evil := range hostile {
					test, rec := make()
					field := []reflect.Value{reflect.ValueOf(test), reflect.ValueOf(rec)}[part].Elem()
					name := field.Type().Field(i).Name
					if field = field.Field(i); field.Kind() != reflect.String || !field.CanSet() {
						continue
					}
					if name == "Setup" || part == 1 && name == "Kind" {
						continue // says of which kind it is
					}
					fields++
					field.SetString(field.String() + evil)
					source, err := test.Source(rec)
					if err != nil {
						if !strings.Contains(err.Error(), "is no identifier") {
							t.Errorf("%s, %s %q: %v", kind, name, evil, err)
						}
						continue
					}
					if got := shape(t, kind+" "+name, source); got != harmless {
						t.Errorf("%s, %s %q is code:\n%s", kind, name, evil, source)
					}
				}
			}
		}
		if fields < 10*len(hostile) {
			t.Errorf("%s: %d fields and values tried", kind, fields)
		}
	}
}

// Catches: a value that a template writes as it is.
func TestTemplatesWriteNothingAsItIs(t *testing.T) {
	for _, text := range []string{explored, unmodified, scenario} {
		parsed := template.Must(template.New("").Funcs(writers).Parse(text))
		actions := 0
		for _, n := range parsed.Root.Nodes {
			switch n := n.(type) {
			case *parse.TextNode:
			case *parse.ActionNode:
				actions++
				last := n.Pipe.Cmds[len(n.Pipe.Cmds)-1].Args[0]
				if f, ok := last.(*parse.IdentifierNode); !ok || writers[f.Ident] == nil {
					t.Errorf("%s ends in none of the writers", n)
				}
			default:
				t.Errorf("%s: this test looks into no such part", n)
			}
		}
		if actions < 8 {
			t.Errorf("%d actions", actions)
		}
	}
}

// Catches: code that only running shows. The test of a hostile recording is built and run, without stress on PATH.
func TestHostileTestRuns(t *testing.T) {
	for i, evil := range []string{hostile[0], hostile[1], `")}; os.WriteFile("ran", nil, 0o644); if false { t.Log("`, "`+func()string{os.WriteFile(\"ran\",nil,0o644);return\"\"}()+`"} {
		test, rec := kinds()["unmodified"]()
		test.Of, test.File, test.Install, rec.Summary = test.Of+evil, "x.rouse", evil, evil
		source, err := test.Source(rec)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		for name, text := range map[string]string{"go.mod": "module a\n\ngo 1.25\n", "x_test.go": string(source), "x.rouse": ""} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		gotool, err := exec.LookPath("go")
		if err != nil {
			t.Fatal(err)
		}
		binary := filepath.Join(dir, "a.test")
		build := exec.Command(gotool, "test", "-c", "-o", binary, ".")
		build.Dir = dir
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%q: %v\n%s\n%s", evil, err, out, source)
		}
		run := exec.Command(binary, "-test.v")
		run.Dir, run.Env = dir, []string{"PATH=" + dir}
		out, err := run.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "SKIP") || !strings.Contains(string(out), "is not repeated, since stress is not on PATH") {
			t.Errorf("%d: %v\n%s", i, err, out)
		}
		if _, err := os.Stat(filepath.Join(dir, "ran")); err == nil {
			t.Errorf("%q ran", evil)
		}
	}
}
