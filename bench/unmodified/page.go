package unmodified

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

const (
	tableBegins = "<!-- suites -->\n"
	tableHead   = "| suite | version | tests | skipped | executions | steps | executions/s | failed | uncontrolled |\n|---|---|---:|---:|---:|---:|---:|---:|---:|\n"
)

// Missing returns the suites that have no row in the page.
func Missing(page []byte, suites []Suite) ([]Suite, error) {
	_, lines, _, err := table(page)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(suites), func(s Suite) bool { return lines[s.Name] != "" }), nil
}

// table returns the lines of the page's table by the names of their suites, and what is before and after it.
func table(page []byte) (before []byte, lines map[string]string, after []byte, err error) {
	before, after, ok := bytes.Cut(page, []byte(tableBegins+"\n"+tableHead))
	if !ok {
		return nil, nil, nil, fmt.Errorf("the page has no %q with the head of the table", strings.TrimSpace(tableBegins))
	}
	lines = map[string]string{}
	for bytes.HasPrefix(after, []byte("| ")) {
		line, rest, _ := bytes.Cut(after, []byte("\n"))
		name, _, _ := strings.Cut(strings.TrimPrefix(string(line), "| "), " |")
		lines[name], after = string(line)+"\n", rest
	}
	return before, lines, after, nil
}

// Into returns the page with rows in its table of suites. It keeps the rows of other suites.
func Into(page []byte, rows []*Row) ([]byte, error) {
	before, lines, after, err := table(page)
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		lines[r.Suite.Name] = r.markdown()
	}
	b := bytes.NewBuffer(bytes.Clone(before))
	b.WriteString(tableBegins + "\n" + tableHead)
	for _, s := range Suites {
		b.WriteString(lines[s.Name])
	}
	b.Write(after)
	return b.Bytes(), nil
}

func (r *Row) markdown() string {
	return fmt.Sprintf("| %s | %s | %d | %d | %s | %s | %s | %d | %d |\n", r.Suite.Name, r.Suite.Version, r.Tests, r.Skipped,
		thousands(r.Executions), thousands(r.Steps), thousands(int(r.rate())), len(r.Failed)+len(r.Broken), len(r.Uncontrolled))
}

// rate is the number of executions a second, of one process.
func (r *Row) rate() float64 { return float64(r.Executions) / max(r.Seconds, 0.001) }

// thousands separates them.
func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", thousands(n/1000), n%1000)
}
