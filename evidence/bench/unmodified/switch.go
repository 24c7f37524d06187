package unmodified

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/chaos/goroot"
)

// A part is a part of the overlay that is left out, to see which test notices. Building the standard
// library anew for each part takes too long. So one build has all parts, and the environment of a
// process says which of them does nothing.
type part struct {
	kind string // patch, point, verdict, request or answer
	name string
	// number is the value of omitVariable with which a process leaves the part out. If it is 0, the part
	// can only be left out of the build.
	number int
	patch  goroot.Patch
}

// omitVariable is the environment variable with the number of the part that is left out.
const omitVariable = "ROUSE_OMIT"

// A switcher changes a copy of the source of rouse so that its builds have switches.
type switcher struct {
	root    string
	parts   []part
	patches []goroot.Patch // omitReaders, and those of the parts, with switches
}

// omitReaders makes a process read omitVariable early.
var omitReaders = []goroot.Patch{
	{File: "runtime/alg.go", In: "func alginit()", Where: goroot.After, Text: "rouseReadOmit()", Until: "1.26"},
	{File: "runtime/proc.go", In: "func schedinit()", Where: goroot.Before, Anchor: "maps.AlgInit() // maps, hash, rand must not be used before this call", Text: "rouseReadOmit()", Since: "1.27"},
}

// change changes the copy.
func (s *switcher) change(minor string) error {
	for _, p := range goroot.Patches() {
		if p.For(minor) {
			s.parts = append(s.parts, part{kind: "patch", patch: p})
		}
	}
	for i, name := range goroot.Names(minor) {
		s.parts[i].name = name
	}
	s.patches = slices.Clone(omitReaders)
	for i := range s.parts {
		p, number := &s.parts[i], i+1
		patch := p.patch
		if text, ok := switched(patch, number); ok {
			p.number, patch.Text = number, text
		} else if renames(patch) {
			if err := s.switchWrapper(patch, number); err != nil {
				return err
			}
			p.number = number
		}
		s.patches = append(s.patches, patch)
	}
	for i := range s.patches {
		s.patches[i].Text = s.switchPoints(s.patches[i].Text)
	}
	for _, pattern := range []string{"_src/sync/*.go", "_src/sync/atomic/*.go", "_src/internal/sync/*.go", "_src/runtime/rouse_clock.go", "patches_atomic.go"} {
		if err := s.edit(pattern, s.switchPoints); err != nil {
			return err
		}
	}
	if err := s.edit("patch.go", func(text string) string {
		return allPatches.ReplaceAllString(text, "return slices.Clone(chosen)")
	}); err != nil {
		return err
	}
	if err := s.edit("_src/runtime/rouse_point.go", ignoreOmitted); err != nil {
		return err
	}
	if err := s.edit("_src/internal/rouse/rouse.go", func(text string) string { return text + omitted }); err != nil {
		return err
	}
	if err := s.write("_src/runtime/rouse_omit.go", readOmit); err != nil {
		return err
	}
	if err := s.switchWorker(); err != nil {
		return err
	}
	return s.use(s.patches)
}

// omitted is added to package internal/rouse.
const omitted = `
// Omit is the number of the part that is left out.
var Omit uint32

// Op returns op, or 255 for no operation.
func Op(n uint32, op uint8) uint8 {
	if Omit == n {
		return 255
	}
	return op
}
`

// readOmit is added to package runtime.
const readOmit = `package runtime

import (
	"internal/rouse"
	"internal/stringslite"
	"unsafe"
)

func rouseReadOmit() {
	const prefix = "` + omitVariable + `="
	for i := argc + 1; argv_index(argv, i) != nil; i++ {
		p := argv_index(argv, i)
		s := unsafe.String(p, findnull(p))
		if !stringslite.HasPrefix(s, prefix) {
			continue
		}
		for at := len(prefix); at < len(s); at++ {
			rouse.Omit = 10*rouse.Omit + uint32(s[at]-'0')
		}
	}
}
`

var pointFunc = regexp.MustCompile(`(?m)^func rouse(?:Point|PointOutside|Await|After|Communicate)\(op uint8.*\{$`)

// ignoreOmitted makes points ignore an omitted operation.
func ignoreOmitted(text string) string {
	return pointFunc.ReplaceAllStringFunc(text, func(line string) string {
		if strings.Contains(line, "Communicate") {
			return line + "\n\tif op == 255 {\n\t\treturn op\n\t}"
		}
		return line + "\n\tif op == 255 {\n\t\treturn\n\t}"
	})
}

var (
	pointCall  = regexp.MustCompile(`\b((?:rouse\.)?(?:Point|Await|After)|rousePoint|rouseAfter|mapPoint)\((rouseCommunicate\()?rouse\.(\w+)`)
	failedCall = regexp.MustCompile(`\brouse\.Failed\(\)`)
)

// switchPoints makes the points of a text switchable.
func (s *switcher) switchPoints(text string) string {
	last := ""
	both := regexp.MustCompile(pointCall.String() + "|" + failedCall.String())
	return both.ReplaceAllStringFunc(text, func(call string) string {
		m := pointCall.FindStringSubmatch(call)
		if m == nil {
			return fmt.Sprintf("if rouse.Omit != %d { rouse.Failed() }", s.point("a "+last+" that failed"))
		}
		when := "before "
		if strings.HasSuffix(m[1], "After") {
			when = "after "
		}
		last = m[3]
		return fmt.Sprintf("%s(%srouse.Op(%d, rouse.%s)", m[1], m[2], s.point(when+m[3]), m[3])
	})
}

// point returns the number of a kind of point.
func (s *switcher) point(name string) int { return s.add("point", name) }

// add returns the number of a part other than a patch, adding it if necessary.
func (s *switcher) add(kind, name string) int {
	for _, p := range s.parts {
		if p.kind == kind && p.name == name {
			return p.number
		}
	}
	n := len(s.parts) + 1
	s.parts = append(s.parts, part{kind: kind, name: name, number: n})
	return n
}

// switched returns the text of a patch with a switch, if the patch consists of statements.
func switched(p goroot.Patch, number int) (text string, ok bool) {
	if strings.HasPrefix(p.In, "type ") || strings.HasPrefix(p.Anchor, "for ") {
		return "", false
	}
	was, _, _ := strings.Cut(p.Anchor, " // ")
	omit := fmt.Sprintf("rouse.Omit == %d", number)
	switch {
	case p.Where != goroot.Replace:
		if !statements(p.Text, false) {
			return "", false
		}
		return fmt.Sprintf("if rouse.Omit != %d { %s }", number, p.Text), true
	case p.Anchor == "":
		return "", false
	case strings.HasPrefix(was, "if ") && strings.HasPrefix(p.Text, "if ") && strings.HasSuffix(was, "{"):
		init, a := condition(was)
		other, b := condition(p.Text)
		if init != other {
			return "", false
		}
		return fmt.Sprintf("if %s%s && (%s) || rouse.Omit != %d && (%s) {", init, omit, a, number, b), true
	}
	if name, value, define := strings.Cut(was, " := "); define && strings.HasPrefix(p.Text, name+" := ") {
		return fmt.Sprintf("%s; if %s { %s = int(%s) }", p.Text, omit, name, value), true
	}
	if begin, end, ok := strings.Cut(p.Text, "; "+was+"; "); ok && statements(begin, false) && statements(end, false) {
		return fmt.Sprintf("if rouse.Omit != %d { %s }; %s; if rouse.Omit != %d { %s }", number, begin, was, number, end), true
	}
	if !statements(was, false) || !statements(p.Text, true) {
		return "", false
	}
	return fmt.Sprintf("if %s { %s } else { %s }", omit, was, p.Text), true
}

// condition returns the parts of the first line of an if.
func condition(line string) (init, cond string) {
	line = strings.TrimSuffix(strings.TrimPrefix(line, "if "), " {")
	if at := strings.LastIndex(line, "; "); at >= 0 {
		return line[:at+2], line[at+2:]
	}
	return "", line
}

// statements reports whether a text consists of statements, which declare something only if they may.
func statements(text string, declare bool) bool {
	file, err := parser.ParseFile(token.NewFileSet(), "", "package p; func f() { "+text+" }", parser.SkipObjectResolution)
	if err != nil || len(file.Decls) != 1 {
		return false
	}
	return !slices.ContainsFunc(file.Decls[0].(*ast.FuncDecl).Body.List, func(s ast.Stmt) bool {
		switch s := s.(type) {
		case *ast.DeclStmt:
			return !declare
		case *ast.AssignStmt:
			return s.Tok == token.DEFINE && !declare
		}
		return false
	})
}

// renames reports whether a patch renames a method, so that an added file can have a method of its name.
func renames(p goroot.Patch) bool {
	return p.Where == goroot.Replace && p.Anchor == "" && strings.HasPrefix(p.Text, "func (")
}

var methodLine = regexp.MustCompile(`^func \(\w+ (\*\w+)\) (\w+)\(`)

// switchWrapper makes the method that took the name of a renamed method only call it when it is left out.
func (s *switcher) switchWrapper(p goroot.Patch, number int) error {
	m := methodLine.FindStringSubmatch(p.In)
	if m == nil {
		return fmt.Errorf("%s: no method", p.In)
	}
	own := regexp.MustCompile(`(?m)^func \(\w+ ` + regexp.QuoteMeta(m[1]) + `\) ` + m[2] + `\([^{]*\{`)
	found := 0
	err := s.edit("_src/"+filepath.Dir(p.File)+"/rouse*.go", func(text string) string {
		return own.ReplaceAllStringFunc(text, func(line string) string {
			found++
			return line + fmt.Sprintf("\n\tif rouse.Omit == %d {\n\t\t%s\n\t}\n", number, callOf(line))
		})
	})
	if err != nil {
		return fmt.Errorf("%s: %w", p.In, err)
	}
	if found != 1 {
		return fmt.Errorf("%s: found %d times among the added files", p.In, found)
	}
	return nil
}

// callOf returns the statement that calls the renamed method from that of a line, and returns.
func callOf(line string) string {
	file, err := parser.ParseFile(token.NewFileSet(), "", "package p; "+line+" }", parser.SkipObjectResolution)
	if err != nil {
		return err.Error() // which does not compile
	}
	f := file.Decls[0].(*ast.FuncDecl)
	var args []string
	for _, field := range f.Type.Params.List {
		for _, name := range field.Names {
			args = append(args, name.Name)
		}
	}
	call := fmt.Sprintf("%s.rouse%s(%s)", f.Recv.List[0].Names[0].Name, f.Name.Name, strings.Join(args, ", "))
	if f.Type.Results.NumFields() == 0 {
		return call + "\n\t\treturn"
	}
	return "return " + call
}

var allPatches = regexp.MustCompile(`return slices\.Concat\(scheduler, .*\)`)

// use sets the patches of the copy.
func (s *switcher) use(patches []goroot.Patch) error {
	var text strings.Builder
	text.WriteString("package goroot\n\nvar chosen = []Patch{\n")
	for _, p := range patches {
		text.WriteString("\t" + strings.TrimPrefix(fmt.Sprintf("%#v", p), "goroot.Patch") + ",\n")
	}
	return s.write("chosen.go", text.String()+"}\n")
}

// edit changes the files of chaos/goroot that match a pattern. One of them must change.
func (s *switcher) edit(pattern string, change func(string) string) error {
	names, err := filepath.Glob(filepath.Join(s.root, "chaos/goroot", pattern))
	if err != nil {
		return err
	}
	changed := false
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if now := change(string(text)); now != string(text) {
			changed = true
			if err := os.WriteFile(name, []byte(now), 0o644); err != nil {
				return err
			}
		}
	}
	if !changed {
		return fmt.Errorf("%s: nothing to change", pattern)
	}
	return nil
}

func (s *switcher) write(name, text string) error {
	return os.WriteFile(filepath.Join(s.root, "chaos/goroot", name), []byte(text), 0o644)
}
