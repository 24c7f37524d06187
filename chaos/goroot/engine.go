package goroot

import (
	"embed"
	"go/build/constraint"
	"io/fs"
	"regexp"
	"strings"

	"github.com/rouse-go/rouse"
)

// Added to GOROOT/src as they are.
//
//go:embed all:_src
var added embed.FS

// Where the engine comes from, and where it goes.
const (
	modulePrefix = "github.com/rouse-go/rouse/"
	enginePrefix = "internal/rouse/"
)

// additions returns the files to add below GOROOT/src: those of _src and those of the engine.
func additions() (map[string]string, error) {
	texts := map[string]string{}
	err := each(added, func(name, text string) {
		texts[strings.TrimPrefix(name, "_src/")] = text
	})
	if err != nil {
		return nil, err
	}
	err = each(rouse.Source, func(name, text string) {
		if strings.HasSuffix(name, "_test.go") {
			return
		}
		if text, ok := travel(name, text); ok {
			texts[enginePrefix+name] = text
		}
	})
	return texts, err
}

// each calls a function for each file of a file system.
func each(files fs.FS, do func(name, text string)) error {
	return fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(files, name)
		if err == nil {
			do(name, string(text))
		}
		return err
	})
}

var buildLine = regexp.MustCompile(`(?m)^//go:build .*$`)

// travel returns a file of the engine as it is below GOROOT, and whether it goes there. The files
// of the normal build do, in which the tag chaos is not set; the user may build with that tag.
func travel(name, text string) (string, bool) {
	text = strings.ReplaceAll(text, modulePrefix, enginePrefix)
	line := buildLine.FindString(text)
	if line == "" {
		return text, true
	}
	expr, err := constraint.Parse(line)
	if err != nil {
		return text, true // the compiler says what is wrong
	}
	switch expr := without(expr, "chaos").(type) {
	case constraint.Expr:
		return strings.Replace(text, line, "//go:build "+expr.String(), 1), true
	case bool:
		return strings.Replace(text, line+"\n", "", 1), expr
	}
	return text, true
}

// without returns a constraint with a tag that is not set: a constraint, or a bool if nothing else
// matters.
func without(expr constraint.Expr, tag string) any {
	switch e := expr.(type) {
	case *constraint.TagExpr:
		if e.Tag == tag {
			return false
		}
	case *constraint.NotExpr:
		switch x := without(e.X, tag).(type) {
		case bool:
			return !x
		case constraint.Expr:
			return &constraint.NotExpr{X: x}
		}
	case *constraint.AndExpr:
		return join(without(e.X, tag), without(e.Y, tag), false, func(x, y constraint.Expr) constraint.Expr {
			return &constraint.AndExpr{X: x, Y: y}
		})
	case *constraint.OrExpr:
		return join(without(e.X, tag), without(e.Y, tag), true, func(x, y constraint.Expr) constraint.Expr {
			return &constraint.OrExpr{X: x, Y: y}
		})
	}
	return expr
}

// join joins two operands, of which decisive is the value that decides alone.
func join(x, y any, decisive bool, both func(x, y constraint.Expr) constraint.Expr) any {
	for _, pair := range [2][2]any{{x, y}, {y, x}} {
		if b, ok := pair[0].(bool); ok {
			if b == decisive {
				return b
			}
			return pair[1]
		}
	}
	return both(x.(constraint.Expr), y.(constraint.Expr))
}
