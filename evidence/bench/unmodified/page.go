package unmodified

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// A pageTable is a table in a page for people: the first cell of each line is its name.
type pageTable struct{ begins, head string }

var suitesTable = pageTable{
	"<!-- suites -->\n",
	"| suite | version | tests | skipped | executions | steps | executions/s | failed | uncontrolled |\n|---|---|---:|---:|---:|---:|---:|---:|---:|\n",
}

// cut returns the lines of the page's table by their names, and the text before and after the table.
func (t pageTable) cut(page []byte) (before []byte, lines map[string]string, after []byte, err error) {
	before, after, ok := bytes.Cut(page, []byte(t.begins+"\n"+t.head))
	if !ok {
		return nil, nil, nil, fmt.Errorf("the page has no %q with the head of the table", strings.TrimSpace(t.begins))
	}
	lines = map[string]string{}
	for bytes.HasPrefix(after, []byte("| ")) {
		line, rest, _ := bytes.Cut(after, []byte("\n"))
		name, _, _ := strings.Cut(strings.TrimPrefix(string(line), "| "), " |")
		lines[name], after = string(line)+"\n", rest
	}
	return before, lines, after, nil
}

// join is the reverse of cut, with the lines in that order.
func (t pageTable) join(before []byte, lines map[string]string, order []string, after []byte) []byte {
	b := bytes.NewBuffer(bytes.Clone(before))
	b.WriteString(t.begins + "\n" + t.head)
	for _, name := range order {
		b.WriteString(lines[name])
	}
	b.Write(after)
	return b.Bytes()
}

// Missing returns the suites that have no row in the page.
func Missing(page []byte, suites []Suite) ([]Suite, error) {
	_, lines, _, err := suitesTable.cut(page)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(suites), func(s Suite) bool { return lines[s.Name] != "" }), nil
}

// Into returns the page with rows in its table of suites. It keeps the rows of other suites.
func Into(page []byte, rows []*Row) ([]byte, error) {
	before, lines, after, err := suitesTable.cut(page)
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		lines[r.Suite.Name] = r.markdown()
	}
	var order []string
	for _, s := range Suites {
		order = append(order, s.Name)
	}
	return suitesTable.join(before, lines, order, after), nil
}

func (r *Row) markdown() string {
	return fmt.Sprintf("| %s | %s | %d | %d | %s | %s | %s | %d | %d |\n", r.Suite.Name, r.Suite.Version, r.Tests, r.Skipped,
		thousands(r.Executions), thousands(r.Steps), thousands(int(r.rate())), len(r.Failed)+len(r.Broken), len(r.Uncontrolled))
}

// rate returns the number of executions a second, of one process.
func (r *Row) rate() float64 { return float64(r.Executions) / max(r.Seconds, 0.001) }

// thousands formats n with commas between groups of three digits.
func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", thousands(n/1000), n%1000)
}
