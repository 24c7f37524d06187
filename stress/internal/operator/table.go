package operator

import (
	"fmt"
	"strings"
)

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
