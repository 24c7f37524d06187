package operator

import (
	"fmt"
	"go/ast"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/packages"
)

// Mode is the mode of packages.Load that Find needs.
const Mode = packages.NeedName | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes |
	packages.NeedTypesInfo | packages.NeedTypesSizes | packages.NeedImports | packages.NeedModule

// An Operator is a kind of defect.
type Operator struct {
	Name string // "delete-unlock"
	Doc  string // what it changes: a phrase

	// Before and After are an example of a few statements. The operator turns Before into After.
	Before, After string

	nodes []ast.Node                        // the types of the nodes that find is called for
	find  func(f *file, c inspector.Cursor) // plants what can be planted at one node
}

// All returns the operators in a fixed order.
func All() []*Operator { return slices.Clone(all) }

var all = slices.Concat(locks, atomics, orders, signals, conditions, counters, channels, waits, elements)

// An Edit replaces the text between two byte offsets of a file.
type Edit struct {
	Start, End int
	New        string
}

// A Mutant is one defect that can be planted.
type Mutant struct {
	Operator *Operator
	File     string         // as loaded
	Position token.Position // position of the change
	Function string         // "(*Queue).Close", or the variable whose initializer it is in
	What     string         // "s.cond.Signal() is deleted"
	Edits    []Edit         // ascending, not overlapping

	ordinal int // number among this operator's mutants in the function, from 1
}

// ID identifies the mutant within its package. It depends on nothing outside the function.
func (m *Mutant) ID() string {
	function := strings.NewReplacer("(", "", ")", "", "*", "").Replace(m.Function)
	return fmt.Sprintf("%s/%s/%s/%d", filepath.Base(m.File), function, m.Operator.Name, m.ordinal)
}

// Apply returns the source of the file with the defect.
func (m *Mutant) Apply(source []byte) []byte { return apply(source, m.Edits) }

// Diff returns the change as a unified diff of the file, under the given name.
func (m *Mutant) Diff(source []byte, name string) string { return unified(source, m.Edits, name) }

// Table returns a Markdown table of the operators: name, what changes, and the example as a diff.
func Table() string {
	var b strings.Builder
	b.WriteString("| operator | what changes | example |\n|---|---|---|\n")
	for _, o := range all {
		var example []string
		for _, line := range compared(o.Before, o.After) {
			example = append(example, "`"+cell(line)+"`")
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", o.Name, cell(o.Doc), strings.Join(example, "<br>"))
	}
	return b.String()
}

// cell returns text for a cell of a Markdown table.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "\t", "  ").Replace(text)
}

// compared returns the lines of two texts as a diff, each with the prefix "- ", "+ " or spaces.
func compared(before, after string) []string {
	a, b := strings.Split(before, "\n"), strings.Split(after, "\n")
	// common[i][j] is how many lines a[i:] and b[j:] have in common, in order.
	common := make([][]int, len(a)+1)
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	var lines []string
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			lines = append(lines, "  "+a[i])
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1]:
			lines = append(lines, "- "+a[i])
			i++
		default:
			lines = append(lines, "+ "+b[j])
			j++
		}
	}
	return lines
}
