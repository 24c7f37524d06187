package goroot

import (
	"fmt"
	"go/ast"
	gobuild "go/build"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// provided are intrinsics without a body that code with noIntrinsics has nevertheless, and why.
var provided = map[string]string{
	"internal/abi.EscapeNonString":       "escape analysis replaces it",
	"internal/runtime/sys.GetCallerPC":   "the flag leaves it on",
	"internal/runtime/sys.GetCallerSP":   "only the runtime calls it, and its callers are not inlined",
	"internal/runtime/sys.GetClosurePtr": "the flag leaves it on",
}

// sources are the files of GOROOT/src as the overlay has them.
type sources struct {
	t       *testing.T
	made    *Overlay
	overlay map[string]string
	fset    *token.FileSet
	parsed  map[string]*ast.File
}

func (s *sources) read(name string) string {
	s.t.Helper()
	if to, ok := s.overlay[name]; ok {
		name = to
	}
	text, err := os.ReadFile(name)
	if err != nil {
		s.t.Fatal(err)
	}
	return string(text)
}

// parse parses a file, once.
func (s *sources) parse(name string) *ast.File {
	s.t.Helper()
	if f, ok := s.parsed[name]; ok {
		return f
	}
	f, err := parser.ParseFile(s.fset, name, s.read(name), parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		s.t.Fatal(err)
	}
	s.parsed[name] = f
	return f
}

// intrinsics returns the functions that the compiler replaces, in its order, each as path.Name. Those of
// the package simd stay on whatever the flag says.
func (s *sources) intrinsics() (names []string) {
	f := s.parse(filepath.Join(s.made.GOROOT, "src/cmd/compile/internal/ssagen/intrinsics.go"))
	literal := func(e ast.Expr) string {
		if l, ok := e.(*ast.BasicLit); ok && l.Kind == token.STRING {
			text, _ := strconv.Unquote(l.Value)
			return text
		}
		return ""
	}
	ast.Inspect(f, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) < 3 {
			return true
		}
		if fun, ok := call.Fun.(*ast.Ident); ok && slices.Contains([]string{"add", "addF", "alias"}, fun.Name) {
			pkg, name := literal(call.Args[0]), literal(call.Args[1])
			if full := pkg + "." + name; pkg != "" && name != "" && !slices.Contains(names, full) {
				names = append(names, full)
			}
		}
		return true
	})
	return names
}

// A declared function of a package, for one architecture.
type declared struct {
	decl *ast.FuncDecl
	asm  bool // a file of assembly has it, or a linkname
}

// functions returns the functions of a package.
func (s *sources) functions(pkg, arch string) map[string]declared {
	ctx := gobuild.Default
	ctx.GOROOT, ctx.GOARCH, ctx.GOOS, ctx.CgoEnabled = s.made.GOROOT, arch, "linux", false
	dir := filepath.Join(s.made.GOROOT, "src", filepath.FromSlash(pkg))
	p, err := ctx.ImportDir(dir, 0)
	if err != nil {
		return nil // there is none for the platform
	}
	all := map[string]declared{}
	var text strings.Builder
	for _, name := range p.SFiles {
		text.WriteString(s.read(filepath.Join(dir, name)))
	}
	if pkg == "runtime" { // which has some of its assembly elsewhere
		if p, err := ctx.ImportDir(filepath.Join(s.made.GOROOT, "src/internal/bytealg"), 0); err == nil {
			for _, name := range p.SFiles {
				text.WriteString(s.read(filepath.Join(p.Dir, name)))
			}
		}
	}
	for name := range s.overlay {
		if filepath.Dir(name) == dir && strings.HasPrefix(filepath.Base(name), "rouse") {
			p.GoFiles = append(p.GoFiles, filepath.Base(name))
		}
	}
	for _, name := range p.GoFiles {
		path := filepath.Join(dir, name)
		for _, d := range s.parse(path).Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil {
				asm := regexp.MustCompile(`·`+f.Name.Name+`(<ABIInternal>)?\(SB\)`).MatchString(text.String()) || strings.Contains(s.read(path), "//go:linkname "+f.Name.Name+" ")
				all[f.Name.Name] = declared{f, asm}
			}
		}
	}
	return all
}

// callable reports whether a call that the compiler does not replace works.
func (d declared) callable() bool {
	if d.decl.Body == nil {
		return d.asm
	}
	return !panics(d.decl.Body)
}

// panics reports whether a body does nothing else.
func panics(body *ast.BlockStmt) bool {
	if len(body.List) != 1 {
		return false
	}
	if x, ok := body.List[0].(*ast.ExprStmt); ok {
		if call, ok := x.X.(*ast.CallExpr); ok {
			fun, ok := call.Fun.(*ast.Ident)
			return ok && (fun.Name == "panic" || fun.Name == "throw" || fun.Name == "fatal")
		}
	}
	return false
}

// installedSources makes the overlay of a toolchain.
func installedSources(t *testing.T) *sources {
	s := &sources{t: t, fset: token.NewFileSet(), parsed: map[string]*ast.File{}}
	s.made = mustMake(t, Options{})
	s.overlay = replaced(t, s.made)
	return s
}

// Catches: a function that only an intrinsic provides. Code that is compiled with noIntrinsics calls it, or
// has it inlined.
func TestIntrinsics(t *testing.T) {
	for _, toolchain := range append(strings.Fields(os.Getenv(toolchainsVariable)), "local") {
		t.Run(toolchain, func(t *testing.T) {
			t.Setenv("GOTOOLCHAIN", toolchain)
			s := installedSources(t)
			names := s.intrinsics()
			if len(names) < 100 || !slices.Contains(names, "math/bits.Len64") {
				t.Fatalf("%d intrinsics: %q", len(names), names)
			}
			for _, arch := range []string{"amd64", "arm64"} {
				s.bodies(names, arch)
			}
			s.results(names)
		})
	}
}

// bodies checks that each intrinsic can be called, and that no other function has to be one.
func (s *sources) bodies(names []string, arch string) {
	packages := map[string]map[string]declared{}
	src := filepath.Join(s.made.GOROOT, "src")
	err := filepath.WalkDir(src, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		pkg, _ := filepath.Rel(src, path)
		switch d.Name() {
		case "cmd", "testdata", "vendor", "archsimd":
			return filepath.SkipDir
		}
		packages[filepath.ToSlash(pkg)] = s.functions(filepath.ToSlash(pkg), arch)
		return nil
	})
	if err != nil {
		s.t.Fatal(err)
	}
	seen := 0
	for _, full := range names {
		at := strings.LastIndex(full, ".")
		f, ok := packages[full[:at]][full[at+1:]]
		if !ok {
			continue // of other architectures
		}
		if seen++; !f.callable() && provided[full] == "" {
			s.t.Errorf("%s: %s has no body but an intrinsic", arch, full)
		}
	}
	if seen < 100 {
		s.t.Errorf("%s: %d of the intrinsics are declared", arch, seen)
	}
	for pkg, functions := range packages {
		for name, f := range functions {
			if f.decl.Body != nil && panics(f.decl.Body) && provided[pkg+"."+name] == "" && strings.Contains(strings.ToLower(s.text(f.decl.Body)), "intrinsi") {
				s.t.Errorf("%s: %s.%s only panics", arch, pkg, name)
			}
		}
	}
}

// text is the source of a node.
func (s *sources) text(n ast.Node) string {
	from, to := s.fset.Position(n.Pos()), s.fset.Position(n.End())
	return s.read(from.Filename)[from.Offset:to.Offset]
}

// values are arguments to try, by type.
var values = map[string][]string{
	"uint8":   {"0", "1", "0x80", "0xff"},
	"uint16":  {"0", "1", "0x1234", "0xffff"},
	"uint32":  {"0", "1", "0x12345678", "0xffffffff"},
	"uint64":  {"0", "1", "0x123456789abcdef0", "0xffffffffffffffff"},
	"uint":    {"0", "1", "0x123456789abcdef0", "0xffffffffffffffff"},
	"uintptr": {"0", "1", "0x123456789abcdef0"},
	"int":     {"0", "1", "-1", "13", "64"},
	"int32":   {"0", "1", "-1", "0x12345678"},
	"int64":   {"0", "1", "-1", "0x123456789abcdef0"},
	"float64": {"0", "-1.5", "2.5", "1e-310", "0x1.fffffffffffffp+1023", "math.Inf(-1)", "math.NaN()"},
}

// results checks that the intrinsics that the user's code can name have the same results without.
func (s *sources) results(names []string) {
	var body strings.Builder
	calls := 0
	packages := map[string]map[string]declared{}
	for _, full := range names {
		at := strings.LastIndex(full, ".")
		pkg, name := full[:at], full[at+1:]
		if strings.Contains(pkg, "internal") || !ast.IsExported(name) || pkg == "runtime" {
			continue
		}
		if packages[pkg] == nil {
			packages[pkg] = s.functions(pkg, s.made.GOARCH)
		}
		f, ok := packages[pkg][name]
		if !ok {
			s.t.Errorf("no %s", full)
			continue
		}
		params := s.params(f.decl)
		for i := range 40 {
			var decl, args []string
			for j, p := range params {
				target, pointer := strings.CutPrefix(p.typ, "*")
				v := values[target]
				if p.name == "carry" || p.name == "borrow" { // the result is undefined for others
					v = v[:2]
				}
				if target == "unsafe.Pointer" {
					v = []string{"nil", "unsafe.Pointer(&word)"}
				} else if v == nil {
					s.t.Fatalf("%s: %s", full, p.typ)
				}
				x := fmt.Sprintf("x%d", j)
				decl = append(decl, fmt.Sprintf("var %s %s = %s; _ = %s", x, target, v[(i+j*(1+i/len(v)))%len(v)], x))
				if pointer {
					x = "&" + x
				}
				args = append(args, x)
			}
			call := fmt.Sprintf("%s.%s(%s)", filepath.Base(pkg), name, strings.Join(args, ", "))
			show := fmt.Sprintf("show(%q, func() { %s; ", full, strings.Join(decl, "; "))
			if f.decl.Type.Results == nil {
				show += call
			} else {
				show += "print(" + call + ")"
			}
			for j, p := range params {
				if strings.HasPrefix(p.typ, "*") {
					show += fmt.Sprintf("; print(x%d)", j)
				}
			}
			body.WriteString("\t" + show + " })\n")
		}
		calls++
	}
	if calls < 60 {
		s.t.Errorf("%d functions are called", calls)
	}
	dir := s.t.TempDir()
	const head = `package main

import (
	"crypto/hmac"
	"crypto/subtle"
	"fmt"
	"hash/maphash"
	"math"
	"math/bits"
	"runtime"
	"sync"
	"sync/atomic"
	"unique"
	"unsafe"
	"weak"
)

var word [16]byte

func show(name string, f func()) {
	defer func() {
		if err := recover(); err != nil {
			fmt.Println("panics:", err)
		}
	}()
	fmt.Print(name, " ")
	f()
	fmt.Println()
}

func print(values ...any) {
	for _, v := range values {
		switch v := v.(type) {
		case float64:
			if bits := math.Float64bits(v); v == v { // which NaN it is may differ
				fmt.Printf("%x", bits)
			}
			fmt.Print(" ")
		case unsafe.Pointer:
			fmt.Print(v == nil, " ")
		default:
			fmt.Print(v, " ")
		}
	}
}

func generic[T comparable](s maphash.Seed, a, b T) bool {
	return maphash.Comparable(s, a) == maphash.Comparable(s, b) && unique.Make(a) == unique.Make(b)
}

func main() {
	for _, a := range []string{"", "a", "b", "ab"} {
		for _, b := range []string{"", "a", "b", "ab"} {
			print(hmac.Equal([]byte(a), []byte(b)), subtle.ConstantTimeCompare([]byte(a), []byte(b)), generic(maphash.MakeSeed(), a, b), a == b)
		}
	}
	for _, x := range []int32{0, 1, 2, 255} {
		for _, y := range []int32{0, 1, 2, 255} {
			print(subtle.ConstantTimeByteEq(uint8(x), uint8(y)), subtle.ConstantTimeEq(x, y), subtle.ConstantTimeLessOrEq(int(x), int(y)), subtle.ConstantTimeSelect(int(x&1), int(x), int(y)))
			z := []byte{9, 9}
			subtle.ConstantTimeCopy(int(x&1), z, []byte{byte(x), byte(y)})
			print(z, subtle.XORBytes(z, []byte{byte(x)}, []byte{byte(y)}), z)
		}
	}
	compare, equal := subtle.ConstantTimeCompare, hmac.Equal
	print(compare([]byte("a"), []byte("a")), equal([]byte("a"), []byte("a")), math.Sqrt(2), math.Sqrt(-1), bits.Len(9))
	subtle.WithDataIndependentTiming(func() { print(subtle.ConstantTimeEq(1, 1)) })
	p := sync.Pool{New: func() any { return 1 }}
	print(p.Get())
	x := new(int)
	print(weak.Make(x).Value() == x)
	var n atomic.Uint64
	print(n.Or(6), n.And(3), n.Load())
	runtime.KeepAlive(x)
	fmt.Println()
`
	program := filepath.Join(dir, "main.go")
	if err := os.WriteFile(program, []byte(head+body.String()+"}\n"), 0o600); err != nil {
		s.t.Fatal(err)
	}
	run := func(flags ...string) string {
		cmd := exec.CommandContext(s.t.Context(), s.made.Go, slices.Concat([]string{"run"}, flags, []string{program})...)
		cmd.Dir, cmd.Env = dir, append(append(os.Environ(), s.made.Env...), "GOFLAGS=")
		var stderr strings.Builder
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			s.t.Fatalf("%v\n%s%s", err, out, stderr.String())
		}
		return string(out)
	}
	with, without := strings.Split(run(), "\n"), strings.Split(run(s.made.Flags...), "\n")
	for i := range max(len(with), len(without)) {
		if i >= len(with) || i >= len(without) {
			s.t.Fatalf("%d lines, and %d without intrinsics", len(with), len(without))
		}
		if with[i] != without[i] {
			s.t.Errorf("with intrinsics:    %s\nwithout intrinsics: %s", with[i], without[i])
		}
	}
}

type param struct{ name, typ string }

// params are the parameters of a function, all of which have names.
func (s *sources) params(f *ast.FuncDecl) (all []param) {
	for _, field := range f.Type.Params.List {
		for _, name := range field.Names {
			all = append(all, param{name.Name, s.text(field.Type)})
		}
	}
	return all
}
