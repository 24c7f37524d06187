package regress

import (
	"errors"
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rouse-go/rouse/internal/input"
)

// A Folder is the folder of a package, with the declarations of its test files.
type Folder struct {
	Dir     string
	Package string // the package clause of its files; "" if there are none
	tests   map[string]declared
	texts   map[string]string // texts of test files, by name
}

// declared holds the beginning of the test file that declares a function.
type declared struct {
	clause string
	only   constraint.Expr // nil is none
}

// ReadFolder reads the Go files of a folder. Of a file with syntax errors, it uses the part that can be parsed.
func ReadFolder(dir string) (*Folder, error) {
	names, err := input.GoFiles(dir, ".go")
	if err != nil {
		return nil, err
	}
	f := &Folder{Dir: dir, tests: map[string]declared{}, texts: map[string]string{}}
	for _, name := range names {
		text, err := input.Read(name, 64<<20)
		var none *input.Error
		if errors.As(err, &none) {
			continue // it is too large
		}
		if err != nil {
			return nil, err
		}
		file, _ := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution|parser.ParseComments)
		if file == nil || file.Name == nil {
			continue
		}
		clause := file.Name.Name
		if !strings.HasSuffix(name, "_test.go") {
			f.Package = clause
			continue
		}
		f.texts[filepath.Base(name)] = string(text)
		if f.Package == "" {
			f.Package = strings.TrimSuffix(clause, "_test")
		}
		for _, d := range file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil {
				f.tests[fn.Name.Name] = declared{clause, constraintOf(file)}
			}
		}
	}
	return f, nil
}

// constraintOf returns the build constraint of a file, or nil.
func constraintOf(file *ast.File) constraint.Expr {
	for _, group := range file.Comments {
		for _, c := range group.List {
			if c.Pos() > file.Package {
				return nil
			}
			if expr, err := constraint.Parse(c.Text); err == nil && constraint.IsGoBuild(c.Text) {
				return expr
			}
		}
	}
	return nil
}

// Declares returns the clause of the file that declares a test, "" if there is none, and its build constraint.
func (f *Folder) Declares(test string) (clause string, only constraint.Expr) {
	d := f.tests[test]
	return d.clause, d.only
}

// Mentions returns the name of a test file that has the text, "" if there is none.
func (f *Folder) Mentions(text string) string {
	first := ""
	for name, all := range f.texts {
		if strings.Contains(all, text) && (first == "" || name < first) {
			first = name
		}
	}
	return first
}

// Free returns a name for a test and one for its file that the folder does not have, made of what failed and how.
func (f *Folder) Free(of, verdict string) (test, file string) {
	base := cut(exported(strings.TrimPrefix(of, "Test")), 60) + exported(verdict)
	if r, _ := utf8.DecodeRuneInString(base); unicode.IsLower(r) { // a letter without upper case: go test would not run it
		base = "_" + base
	}
	for n := 1; ; n++ {
		test = "Test" + base
		if n > 1 {
			test += fmt.Sprintf("_%d", n)
		}
		file = underscored(strings.TrimPrefix(test, "Test")) + "_regression_test.go"
		_, there := f.texts[file]
		if f.tests[test].clause == "" && !there {
			return test, file
		}
	}
}

// cut returns the first letters of a name that fit into the given number of bytes. The name of a subtest may be too
// long for a file name.
func cut(name string, bytes int) string {
	for i, r := range name {
		if i+utf8.RuneLen(r) > bytes {
			return name[:i]
		}
	}
	return name
}

// exported turns words into an identifier: "lost-wakeup" into "LostWakeup".
func exported(words string) string {
	var b strings.Builder
	for _, w := range strings.FieldsFunc(words, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		r, n := utf8.DecodeRuneInString(w)
		b.WriteString(string(unicode.ToUpper(r)) + w[n:])
	}
	return b.String()
}

// underscored turns a name into a file name: "LostWakeup" into "lost_wakeup".
func underscored(name string) string {
	var b strings.Builder
	last := '_'
	for _, r := range name {
		if unicode.IsUpper(r) && last != '_' && !unicode.IsUpper(last) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
		last = r
	}
	return strings.Trim(b.String(), "_")
}
