package corpus

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/rouse-go/rouse/internal/yamltree"
)

// NewcomersPage has the questions, and the results.
const NewcomersPage = "docs/newcomers.md"

// questions are the columns of the results.
var questions = []string{"change", "order", "waits", "last", "command"}

// An Answer is what a reader says of a failure.
type Answer struct {
	Change, Order, Waits, Last []Place
	Command                    string
}

// Answers are those of a reader, by the numbers of the failures.
type Answers map[int]*Answer

var answerKeys = append([]string{"number", "how"}, questions...)

// ReadAnswers reads a file of answers to questions about so many failures.
func ReadAnswers(name string, failures int) (Answers, error) {
	all := Answers{}
	err := eachEntry(name, "answers", answerKeys, func(r *yamltree.Reader, n yamltree.Node, f *yamltree.Fields) {
		f.Need("number")
		if r.Err != nil {
			return
		}
		number, _ := f.Get("number")
		a := &Answer{Change: places(r, f, "change"), Order: places(r, f, "order"), Waits: places(r, f, "waits"), Last: places(r, f, "last")}
		if v, ok := f.Get("command"); ok {
			a.Command = v.Text()
		}
		i := int(number.Number(1, int64(failures)))
		if all[i] != nil {
			number.Fail("number: %d has been answered before", i)
		}
		all[i] = a
	})
	return all, err
}

// A Mark is what an answer is worth.
type Mark int

// The marks.
const (
	Wrong Mark = iota
	Partly
	Right
)

var markWords = [...]string{Wrong: "wrong", Partly: "partly", Right: "right"}

// A Row are the marks of the answers about a failure: of each question, one for each reader.
type Row struct {
	Failure *Failure
	Marks   [5][]Mark
}

// Marks are those of all failures that a reader has answered.
type Marks []Row

// Compare compares answers with those that were written down before. Of a question a reader has answered none of,
// the mark is wrong.
func Compare(all []*Failure, readers []Answers) (marks Marks) {
	for _, f := range all {
		row := Row{Failure: f}
		for _, answers := range readers {
			if a := answers[f.Number]; a != nil {
				for q, m := range f.marks(a) {
					row.Marks[q] = append(row.Marks[q], m)
				}
			}
		}
		if len(row.Marks[0]) > 0 {
			marks = append(marks, row)
		}
	}
	return marks
}

// repeats matches a command that repeats a failure.
var repeats = regexp.MustCompile(`\bstress (test .*--replay|replay|explain)[ =].*\.rouse\b`)

// marks are those of the questions.
func (f *Failure) marks(a *Answer) [5]Mark {
	command := Wrong
	if repeats.MatchString(a.Command) {
		command = Right
	}
	return [5]Mark{among(a.Change, f.Change), f.orderMark(a.Order), set(a.Waits, f.Waits), among(a.Last, f.Last), command}
}

// among marks an answer of which each place is to be one of several: it is right if all are, and partly if some are.
// Where nothing is expected, nothing is right.
func among(answer, expected []Place) Mark {
	n := count(answer, expected)
	switch {
	case len(expected) == 0 && len(answer) == 0, n > 0 && n == len(answer):
		return Right
	case n > 0:
		return Partly
	}
	return Wrong
}

// set marks an answer that is to have a place for each that is expected, and no other.
func set(answer, expected []Place) Mark {
	n, missing := count(answer, expected), len(expected)-count(expected, answer)
	switch {
	case n == len(answer) && missing == 0:
		return Right
	case n > 0:
		return Partly
	}
	return Wrong
}

// count is how many places meet one of the others.
func count(places, others []Place) (n int) {
	for _, p := range places {
		for _, o := range others {
			if p.meets(o) {
				n++
				break
			}
		}
	}
	return n
}

// orderMark marks the two operations: right in the order of one of the pairs, partly the other way round, or if one
// of them is right.
func (f *Failure) orderMark(answer []Place) (best Mark) {
	for _, p := range f.Order {
		switch {
		case len(answer) == 2 && (p.names(answer[0], answer[1]) || f.Race && p.names(answer[1], answer[0])):
			return Right
		case count(answer, p[:]) > 0:
			best = Partly
		}
	}
	return best
}

// names reports whether two operations are those of the pair.
func (p Pair) names(first, second Place) bool { return p[0].meets(first) && p[1].meets(second) }

// Text is a table: a line for each failure.
func (m Marks) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-28s", "failure")
	for _, q := range questions {
		fmt.Fprintf(&b, " %-10s", q)
	}
	b.WriteByte('\n')
	for _, row := range m {
		fmt.Fprintf(&b, "%2d %-25s", row.Failure.Number, row.Failure.Bug.ID())
		for _, marks := range row.Marks {
			fmt.Fprintf(&b, " %-10s", summary(marks))
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "%-28s", "right")
	for q := range questions {
		right, all := m.total(q)
		fmt.Fprintf(&b, " %-10s", fmt.Sprintf("%d of %d", right, all))
	}
	return b.String() + "\n"
}

// summary is a word of one mark, and figures of several.
func summary(marks []Mark) string {
	if len(marks) == 1 {
		return markWords[marks[0]]
	}
	var n [3]int
	for _, m := range marks {
		n[m]++
	}
	text := fmt.Sprintf("%d of %d", n[Right], len(marks))
	if n[Partly] > 0 {
		text += fmt.Sprintf(", %d partly", n[Partly])
	}
	return text
}

// total counts the answers to a question that are right, and all.
func (m Marks) total(question int) (right, all int) {
	for _, row := range m {
		for _, mark := range row.Marks[question] {
			if all++; mark == Right {
				right++
			}
		}
	}
	return right, all
}

// The results are between these lines of the page.
const beginResults, endResults = "<!-- results -->\n", "<!-- end of results -->"

// Fill returns the page with a table of the marks.
func (m Marks) Fill(page string) (string, error) {
	before, rest, ok := strings.Cut(page, beginResults)
	_, after, ok2 := strings.Cut(rest, endResults)
	if !ok || !ok2 {
		return "", errors.New(NewcomersPage + " has no place for the results")
	}
	var b strings.Builder
	b.WriteString("\n| failure | " + strings.Join(questions, " | ") + " |\n|---|" + strings.Repeat("---|", len(questions)) + "\n")
	for _, row := range m {
		fmt.Fprintf(&b, "| %d `%s` |", row.Failure.Number, row.Failure.Bug.ID())
		for _, marks := range row.Marks {
			b.WriteString(" " + summary(marks) + " |")
		}
		b.WriteByte('\n')
	}
	b.WriteString("| right |")
	for q := range questions {
		right, all := m.total(q)
		fmt.Fprintf(&b, " %d of %d |", right, all)
	}
	return before + beginResults + b.String() + "\n\n" + endResults + after, nil
}
