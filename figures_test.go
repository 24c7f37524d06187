package rouse_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "TestFiguresAreThoseOfTheTables: write the figures of the tables into the pages")

// figureMark stands before a figure in prose: <!-- = peers/peers.md; hasher; errgroup; ratio -->1.13. It
// names a page of tables below evidence, the row, by its cells or the heading above its table, and the column.
var figureMark = regexp.MustCompile(`<!-- = ([^;]+\.md); (.+?); ([^;]+) -->`)

// figurePages are those with figures of tables. In complete ones there are no other figures.
var figurePages = map[string]struct{ complete bool }{
	"docs/performance.md":      {complete: true},
	"docs/pool.md":             {complete: true},
	"evidence/bench/README.md": {},
}

// A tableRow is one of a page, with its heading and the heads of its columns.
type tableRow struct {
	heading     string
	head, cells []string
}

func tableRows(text string) (rows []tableRow) {
	var heading string
	var head []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		title, isHeading := strings.CutPrefix(line, "#")
		switch {
		case isHeading:
			heading, head = strings.TrimLeft(title, "# "), nil
		case !strings.HasPrefix(line, "|"):
			head = nil
		case head == nil:
			head = tableCells(line)
		case strings.Trim(line, "|-: ") != "":
			rows = append(rows, tableRow{heading, head, tableCells(line)})
		}
	}
	return rows
}

func tableCells(line string) (cells []string) {
	for _, cell := range strings.Split(strings.Trim(line, "|"), "|") {
		cells = append(cells, strings.TrimSpace(cell))
	}
	return cells
}

// is reports whether a row has a cell, or a heading. A bound is found by what it compares with.
func (r tableRow) is(term string) bool {
	return r.heading == term || slices.ContainsFunc(r.cells, func(cell string) bool {
		return cell == term || strings.HasSuffix(cell, " x "+term)
	})
}

// figure returns the figure of the only row with all terms, without its spread.
func figure(rows []tableRow, terms []string, column string) (string, error) {
	var found []tableRow
	for _, r := range rows {
		if !slices.ContainsFunc(terms, func(term string) bool { return !r.is(term) }) {
			found = append(found, r)
		}
	}
	if len(found) != 1 {
		return "", fmt.Errorf("%d rows are %q, want one", len(found), terms)
	}
	i := slices.Index(found[0].head, column)
	if i < 0 {
		return "", fmt.Errorf("%q has no column %q", found[0].head, column)
	}
	cell, _, _ := strings.Cut(found[0].cells[i], " (")
	return cell, nil
}

var (
	// bareFigure is what only a measurement can say.
	bareFigure = regexp.MustCompile(`\b\d+\.\d+\b|\b\d+ (?:times|ns|us|ms|%)(?:\s|$|[,.;:)])`)
	// notProse are code, links and versions.
	notProse = regexp.MustCompile("(?s)```.*?```|`[^`]*`|\\]\\([^)]*\\)|\\b(?:Go|rayon|rayon-core) \\d+(?:\\.\\d+)+")
	// written is a figure at the beginning of a text.
	written = regexp.MustCompile(`^-?\d+(?:\.\d+)?(?:e-?\d+)?(?: (?:ns|us|ms))?`)
)

// currentFigures returns a page with the figures of the tables, and what is wrong with its figures.
func currentFigures(text string, complete bool, read func(page string) (string, error)) (current string, wrong []string) {
	var b, prose strings.Builder
	for {
		at := figureMark.FindStringSubmatchIndex(text)
		if at == nil {
			break
		}
		mark, page, row, column := text[at[0]:at[1]], text[at[2]:at[3]], text[at[4]:at[5]], text[at[6]:at[7]]
		b.WriteString(text[:at[1]])
		prose.WriteString(text[:at[0]])
		text = text[at[1]:]
		have := written.FindString(text)
		text = text[len(have):]
		tables, err := read(page)
		var want string
		if err == nil {
			want, err = figure(tableRows(tables), strings.Split(row, "; "), column)
		}
		if err != nil {
			wrong = append(wrong, fmt.Sprintf("%s: %v", mark, err))
			want = have
		} else if want != have {
			wrong = append(wrong, fmt.Sprintf("%s%s: the table has %s", mark, have, want))
		}
		b.WriteString(want)
	}
	b.WriteString(text)
	prose.WriteString(text)
	if complete {
		for _, found := range bareFigure.FindAllString(notProse.ReplaceAllString(prose.String(), ""), -1) {
			wrong = append(wrong, fmt.Sprintf("%s is of no table: mark it", strings.TrimSpace(found)))
		}
	}
	return b.String(), wrong
}

// Catches: a figure in prose that the table it was taken from no longer has, or that no table ever had.
func TestFiguresAreThoseOfTheTables(t *testing.T) {
	planted := "| a | us |\n|---|---|\n| x | 1.5 (1.2-1.7) |\n\n## two\n\n| of | how | bound |\n|---|---|---|\n| y | **2.0** | <= 3 x z |\n"
	got, wrong := currentFigures("<!-- = p.md; x; us -->1.4 <!-- = p.md; y; how -->2.0 3.7 5 times `6.6` <!-- = p.md; two; z; how -->7.7, <!-- = p.md; w; us -->8.8",
		true, func(string) (string, error) { return strings.ReplaceAll(planted, "**", ""), nil })
	if want := "<!-- = p.md; x; us -->1.5 <!-- = p.md; y; how -->2.0 3.7 5 times `6.6` <!-- = p.md; two; z; how -->2.0, <!-- = p.md; w; us -->8.8"; got != want || len(wrong) != 5 {
		t.Fatalf("the planted text became %q, with %d complaints: %q", got, len(wrong), wrong)
	}
	marks := 0
	for page, is := range figurePages {
		text := read(t, page)
		marks += len(figureMark.FindAllString(text, -1))
		current, wrong := currentFigures(text, is.complete, func(name string) (string, error) {
			tables, err := os.ReadFile(filepath.Join("evidence", filepath.FromSlash(name)))
			return string(tables), err
		})
		if *update && current != text {
			if err := os.WriteFile(page, []byte(current), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		for _, w := range wrong {
			t.Errorf("%s: %s", page, w)
		}
	}
	if marks < 20 {
		t.Errorf("the pages have %d marked figures", marks)
	}
}

// Catches: verdicts on the page of the benchmarks that are older than the rows they are of.
func TestVerdictsAreThoseOfTheRows(t *testing.T) {
	_, table, begins := strings.Cut(read(t, "evidence/bench/README.md"), "<!-- peers table -->\n")
	table, _, ends := strings.Cut(table, "<!-- end of peers table -->")
	if !begins || !ends || !strings.Contains(read(t, "evidence/peers/peers.md"), strings.TrimSpace(table)) {
		t.Error("the table of evidence/bench/README.md is not that of evidence/peers/peers.md")
	}
}
