package page

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rouse-go/rouse/chaos/explain"
)

// A row is a step as text.
type row struct {
	Index                            int
	Step, Task, Text, Remarks, Place string
	File, Source                     string // File has the whole path
	Lane                             int    // index of the task
	Callers                          []row  // places
}

// A decisive is a mark with its lines.
type decisive struct {
	Kind, Title string
	Rows        []row
}

// kinds lists the kinds of marks, and the locks that tasks wait for, with their titles, in the order in which they
// are shown: the cause before its consequences.
var kinds = []struct{ kind, title string }{
	{"order", "In this order it fails; the other way round it passes"},
	{"race", "Two accesses without an order between them"},
	{"locks", "Locks that tasks hold, and wait for"},
	{"closed", "What had closed the channel"},
	{"panic", "The line that panics"},
	{"notification", "The notification that does not arrive"},
	{"check", "What was checked last"},
}

// otherwise is the title of an order that names one operation: a choice, or a timer.
const otherwise = "This decides: the other way it passes"

func rowOf(t *explain.Timeline, i int, sources map[string]map[int]string) row {
	s := t.Steps[i]
	r := row{Index: i, Task: t.Lanes[s.Lane].Title, Lane: s.Lane, Text: s.Text, Remarks: named(strings.Join(outcomes(s), ", "), t.Objects)}
	if s.Step > 0 {
		r.Step = fmt.Sprint(s.Step)
	}
	shown, more := explain.Few(s.Objects)
	for _, o := range shown {
		r.Text += " " + objectName(o, t.Objects)
	}
	r.Text += more
	r.place(s.File, s.Line, sources)
	for _, f := range s.Callers {
		var c row
		c.place(t.Frames[f].File, t.Frames[f].Line, sources)
		if r.Callers = append(r.Callers, c); len(r.Callers) == shownCallers {
			break
		}
	}
	return r
}

// shownCallers is the maximum number of callers shown for a line.
const shownCallers = 2

// outcomes returns the remarks on a step, and its value.
func outcomes(s explain.Step) []string {
	if s.Value == "" || slices.Contains(s.Remarks, s.Value) {
		return s.Remarks
	}
	return append(slices.Clone(s.Remarks), s.Value)
}

func (r *row) place(file string, line int, sources map[string]map[int]string) {
	if file == "" {
		return
	}
	r.Place, r.File = fmt.Sprintf("%s:%d", path.Base(file), line), fmt.Sprintf("%s:%d", file, line)
	r.Source = strings.TrimSpace(sources[file][line])
}

// shortNames returns the names of objects without their places. A name that several objects have gets a number.
func shortNames(names map[int]string) map[int]string {
	short, count := map[int]string{}, map[string]int{}
	for o, name := range names {
		short[o], _, _ = strings.Cut(name, " (")
		count[short[o]]++
	}
	for o, name := range short {
		if count[name] > 1 {
			short[o] = fmt.Sprintf("%s [%d]", name, o)
		}
	}
	return short
}

// objectName returns the name of an object, or its number if it has none.
func objectName(o int, names map[int]string) string {
	return cmp.Or(names[o], fmt.Sprintf("[%d]", o))
}

// number matches the number of an object in a text.
var number = regexp.MustCompile(`\[[0-9]+\]`)

// named replaces the numbers of objects in a text by their names, if they have any.
func named(text string, names map[int]string) string {
	return number.ReplaceAllStringFunc(text, func(n string) string {
		o, _ := strconv.Atoi(n[1 : len(n)-1])
		return objectName(o, names)
	})
}

// decisives returns the marks with their lines. It does not repeat what an order explains: the reasons already have
// the text, and also the check and the notification.
func decisives(t *explain.Timeline, sources map[string]map[int]string) (all []decisive) {
	steps, texts := map[string][]int{}, map[string]string{}
	for _, m := range t.Marks {
		steps[m.Kind], texts[m.Kind] = append(steps[m.Kind], m.Steps...), m.Text
	}
	known, order := len(steps), len(steps["order"]) > 0
	if steps["locks"] = locks(t); order {
		delete(steps, "notification")
	}
	if known > 1 {
		delete(steps, "check")
	}
	if closed := steps["closed"]; len(closed) == 1 && slices.Contains(steps["order"], closed[0]) {
		delete(steps, "closed")
	}
	for _, k := range kinds {
		if len(steps[k.kind]) == 0 {
			continue
		}
		d := decisive{Kind: k.kind, Title: k.title}
		for _, i := range steps[k.kind] {
			d.Rows = append(d.Rows, rowOf(t, i, sources))
		}
		if k.kind == "order" && len(d.Rows) == 1 {
			d.Title = otherwise
			if _, passes, is := strings.Cut(texts[k.kind], "; passes "); is { // the other operation never comes
				d.Title = "This decides; it passes " + named(passes, t.Objects)
			}
		}
		all = append(all, d)
	}
	return all
}

// first returns the step at which a timeline is opened: the first decisive step, as listed at the top of the page,
// or the last step but the end of a task if no decisive one is known.
func first(t *explain.Timeline) int {
	if t == nil {
		return 0
	}
	for _, d := range decisives(t, nil) {
		for _, r := range d.Rows {
			if r.Index >= 0 {
				return r.Index
			}
		}
	}
	i := len(t.Steps) - 1
	for i > 0 && t.Steps[i].Kind == "end" {
		i--
	}
	return i
}

// locks returns the steps that took a lock for which a task waits at the end, and the steps that wait for such a lock.
func locks(t *explain.Timeline) (steps []int) {
	waited, held := map[int]bool{}, map[int]bool{}
	for _, s := range t.Spans {
		if s.To < 0 && s.Object > 0 {
			waited[s.Object] = waited[s.Object] || s.Kind == "wait"
			held[s.Object] = held[s.Object] || s.Kind != "wait"
		}
	}
	for _, s := range t.Spans {
		if s.To < 0 && waited[s.Object] && held[s.Object] && !slices.Contains(steps, s.From) {
			steps = append(steps, s.From)
		}
	}
	slices.Sort(steps)
	return steps
}
