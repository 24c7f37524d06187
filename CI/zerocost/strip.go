package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
)

// A stripped package is one without its hooks.
type stripped struct {
	files  map[string][]byte // by path: the files that had hooks in them
	funcs  []string          // all functions, in the order of the source
	hooked map[string]bool   // the functions that had a hook or a drop-in in them
	points []string          // the package-level variables that were dropped
	// left are the uses of hooks that mean nothing once hooks are gone. A package
	// that has any is not free of hooks, whatever its instructions are.
	left []finding
}

// A stripper knows how to take hooks out of source text. Every edit keeps the
// line structure, so that what is left of a function stays on its lines.
//
//	hooks.At(p)  hooks.Name(s)              nothing
//	for range hooks.Notify(p) { send }      { send }, and a break unless Enabled at its end goes
//	hooks.Notify(p)                         1
//	hooks.Fail(p)  hooks.Unwinding(v)       false
//	hooks.Controlled()                      false
//	hooks.Goroutine()                       uintptr(0)
//	hooks.Value(p, v)                       uint64(v)
//	hooks.Task(f)                           (f)
//	if hooks.Enabled { ... }                nothing
//	if hooks.Enabled { ... } else { x }     { x }
//	if !hooks.Enabled { x } else { ... }    { x }
//	hooks.Enabled                           false
//	var p = hooks.Declare(...)              nothing, and p elsewhere: struct{}{}
//	hooks.Point                             struct{}
//	hooks/sync, atomic, time, context       the standard package
//	memory.LoadUint32(&x, o)                (&x).Load()
//	memory.AddUint32(&x, d, o)              (&x).Add(d), and so on
//	memory.Fence(o)                         nothing
type stripper struct {
	module string
	// names maps import paths to package names.
	names map[string]string
	// dropped maps import paths to the package-level variables that go.
	dropped map[string]map[string]bool
	// show shortens the path of a file for a reader.
	show func(string) string
}

// dropIns maps what follows the path of hooks to the package it stands for.
var dropIns = map[string]string{
	"/sync":    "sync",
	"/atomic":  "sync/atomic",
	"/time":    "time",
	"/context": "context",
}

func newStripper(module string, names map[string]string) *stripper {
	return &stripper{
		module: module, names: names, dropped: map[string]map[string]bool{},
		show: func(name string) string { return name },
	}
}

func (s *stripper) hooks() string { return s.module + "/hooks" }

// isHooks reports whether an import path is hooks or below it.
func (s *stripper) isHooks(importPath string) bool {
	return importPath == s.hooks() || strings.HasPrefix(importPath, s.hooks()+"/")
}

// A source is one file of the package being stripped.
type source struct {
	*stripper
	pkg   string // import path
	name  string // path of the file
	text  []byte
	fset  *token.FileSet
	file  *ast.File
	edits []edit
	// imports maps the names that hooks and its drop-ins have in this file to
	// their import paths, and of the others those whose points may be dropped.
	imports map[string]string
	where   string // the function being walked
	out     *stripped
}

type edit struct {
	from, to int
	text     string
}

// pkg strips one package. The packages it imports must have been stripped before
// it, so that their dropped points are known.
func (s *stripper) pkg(importPath string, names []string, read func(string) ([]byte, error)) (*stripped, error) {
	out := &stripped{files: map[string][]byte{}, hooked: map[string]bool{}}
	fset := token.NewFileSet()
	var sources []*source
	for _, name := range names {
		text, err := read(name)
		if err != nil {
			return nil, err
		}
		file, err := parser.ParseFile(fset, name, text, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		src := &source{stripper: s, pkg: importPath, name: name, text: text, fset: fset, file: file, out: out}
		src.readImports()
		sources = append(sources, src)
	}
	s.dropped[importPath] = map[string]bool{}
	for _, src := range sources {
		src.findPoints()
	}
	for _, src := range sources {
		if err := src.strip(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (s *source) readImports() {
	s.imports = map[string]string{}
	for _, spec := range s.file.Imports {
		s.imports[s.importName(spec)] = importPath(spec)
	}
}

func importPath(spec *ast.ImportSpec) string {
	p, _ := strconv.Unquote(spec.Path.Value) // the parser has checked it
	return p
}

func (s *source) importName(spec *ast.ImportSpec) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	p := importPath(spec)
	if name, ok := s.names[p]; ok {
		return name
	}
	return path.Base(p)
}

// packageOf returns the import path of the package that sel selects from, or "".
func (s *source) packageOf(sel *ast.SelectorExpr) string {
	if id, ok := sel.X.(*ast.Ident); ok && id.Obj == nil {
		return s.imports[id.Name]
	}
	return ""
}

// isPointSpec reports whether spec declares points and nothing else.
func (s *source) isPointSpec(spec ast.Spec) bool {
	v, ok := spec.(*ast.ValueSpec)
	if !ok || len(v.Values) == 0 {
		return false
	}
	for _, value := range v.Values {
		if s.call(value, "Declare") == nil {
			return false
		}
	}
	return true
}

// findPoints records the package-level points of this file.
func (s *source) findPoints() {
	for _, decl := range s.file.Decls {
		gen, ok := decl.(*ast.GenDecl)
		if !ok || gen.Tok != token.VAR {
			continue
		}
		for _, spec := range gen.Specs {
			if !s.isPointSpec(spec) {
				continue
			}
			for _, name := range spec.(*ast.ValueSpec).Names {
				if name.Name != "_" {
					s.dropped[s.pkg][name.Name] = true
					s.out.points = append(s.out.points, name.Name)
				}
			}
		}
	}
}

func (s *source) strip() error {
	for _, decl := range s.file.Decls {
		switch decl := decl.(type) {
		case *ast.GenDecl:
			s.where = "init"
			s.genDecl(decl)
		case *ast.FuncDecl:
			s.where = funcName(decl)
			if !slices.Contains(s.out.funcs, s.where) {
				s.out.funcs = append(s.out.funcs, s.where)
			}
			s.walk(decl)
		}
	}
	if len(s.edits) == 0 {
		return nil
	}
	text, err := s.dropImports(s.apply())
	if err != nil {
		return err
	}
	s.out.files[s.name] = text
	return nil
}

// funcName names a function as the linker does: F, T.M, (*T).M.
func funcName(decl *ast.FuncDecl) string {
	if decl.Recv == nil || len(decl.Recv.List) == 0 {
		return decl.Name.Name
	}
	recv := ast.Unparen(decl.Recv.List[0].Type)
	star, pointer := recv.(*ast.StarExpr)
	if pointer {
		recv = ast.Unparen(star.X)
	}
	switch generic := recv.(type) {
	case *ast.IndexExpr:
		recv = generic.X
	case *ast.IndexListExpr:
		recv = generic.X
	}
	name := recv.(*ast.Ident).Name
	if pointer {
		name = "(*" + name + ")"
	}
	return name + "." + decl.Name.Name
}

func (s *source) genDecl(decl *ast.GenDecl) {
	switch decl.Tok {
	case token.IMPORT:
		for _, spec := range decl.Specs {
			spec := spec.(*ast.ImportSpec)
			if std, ok := dropIns[strings.TrimPrefix(importPath(spec), s.hooks())]; ok && s.isHooks(importPath(spec)) {
				s.replace(spec.Path, strconv.Quote(std))
			}
		}
		return
	case token.VAR:
		var points []ast.Spec
		for _, spec := range decl.Specs {
			if s.isPointSpec(spec) {
				points = append(points, spec)
			}
		}
		if len(points) > 0 && len(points) == len(decl.Specs) {
			s.remove(decl)
			return
		}
		for _, spec := range points {
			s.remove(spec)
		}
	}
	for _, spec := range decl.Specs {
		if !s.isPointSpec(spec) {
			s.walk(spec)
		}
	}
}

func (s *source) remove(n ast.Node)               { s.cut(n.Pos(), n.End(), "") }
func (s *source) replace(n ast.Node, with string) { s.cut(n.Pos(), n.End(), with) }

// cut replaces the text of a range. The lines in it stay, empty.
func (s *source) cut(from, to token.Pos, with string) {
	f := s.fset.File(s.file.Pos())
	e := edit{from: f.Offset(from), to: f.Offset(to)}
	e.text = with + strings.Repeat("\n", bytes.Count(s.text[e.from:e.to], []byte("\n")))
	s.edits = append(s.edits, e)
}

func (s *source) apply() []byte {
	slices.SortFunc(s.edits, func(a, b edit) int { return a.from - b.from })
	var out bytes.Buffer
	at := 0
	for _, e := range s.edits {
		out.Write(s.text[at:e.from])
		out.WriteString(e.text)
		at = e.to
	}
	out.Write(s.text[at:])
	return out.Bytes()
}

// dropImports drops the imports that stripping has left without a use.
func (s *source) dropImports(text []byte) ([]byte, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, s.name, text, parser.ParseComments)
	if err != nil {
		return nil, fmt.Errorf("the stripped file does not parse: %w\n%s", err, text)
	}
	used := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok && id.Obj == nil {
				used[id.Name] = true
			}
		}
		return true
	})
	s.text, s.fset, s.file, s.edits = text, fset, file, nil
	for _, decl := range file.Decls {
		gen, ok := decl.(*ast.GenDecl)
		if !ok || gen.Tok != token.IMPORT {
			continue
		}
		var gone []ast.Spec
		for _, spec := range gen.Specs {
			name := s.importName(spec.(*ast.ImportSpec))
			if name != "_" && name != "." && !used[name] {
				gone = append(gone, spec)
			}
		}
		if len(gone) == len(gen.Specs) {
			s.remove(gen)
			continue
		}
		for _, spec := range gone {
			s.remove(spec)
		}
	}
	return s.apply(), nil
}
