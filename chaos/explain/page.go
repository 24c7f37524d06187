package explain

import (
	"fmt"
	"path"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/internal/goroutines"
	"github.com/rouse-go/rouse/internal/plain"
)

// A Page is a Report as data: its text depends on how wide it may be.
type Page struct {
	Head  string   `json:"head"`
	Table *Table   `json:"table,omitempty"`
	Why   []string `json:"why,omitempty"`
	// Objects are the names of objects, by their numbers, as "wg (queue_test.go:12)"; a reader of the
	// sources fills them in.
	Objects map[int]string `json:"objects,omitempty"`
	Left    []Left         `json:"tasks,omitempty"`
	Stack   []Frame        `json:"stack,omitempty"` // of a panic
	Detail  string         `json:"detail,omitempty"`
	Log     string         `json:"log,omitempty"`
	Notes   []string       `json:"notes,omitempty"`
}

// Left are tasks that have not ended and stand at the same place.
type Left struct {
	Tasks  []string `json:"tasks"` // paths
	Name   string   `json:"name,omitempty"`
	Waits  string   `json:"waits"`
	Call   string   `json:"call,omitempty"` // the function in which they do
	Object int      `json:"object,omitempty"`
	Others []int    `json:"others,omitempty"` // further objects, of a select
	Since  []int    `json:"since,omitempty"`  // steps
	// Partners describes which tasks have used the other side of what they wait for, with the last place and step of
	// each, or that none has.
	Partners string   `json:"partners,omitempty"`
	Stack    []Frame  `json:"stack"`
	Alike    []string `json:"alike,omitempty"` // paths of tasks that wait alike at the same place, if there are many
}

// A Frame is a call on a stack.
type Frame struct {
	Function string `json:"function"` // without the path of its package
	File     string `json:"file"`
	Line     int    `json:"line"`
}

func frameOf(f runtime.Frame) Frame { return Frame{goroutines.Short(f.Function), f.File, f.Line} }

// leftOf groups the tasks that are left, of which some are shown. locks: it is explained already which tasks hold which.
func leftOf(tasks []control.TaskState, shown map[string]bool, known *partners, locks bool) (all []Left) {
	at := map[string]int{} // the first that stands there
	for _, t := range tasks {
		stands := t.Waits + " in " + t.Place()
		if first, known := at[stands]; known && !shown[t.Path] {
			all[first].Alike = append(all[first].Alike, t.Path)
			continue
		}
		l := Left{Tasks: []string{t.Path}, Name: t.Name, Waits: t.Waits}
		if !locks || !isLock(t.Kind) {
			l.Partners = known.of(t)
		}
		for _, f := range t.Stack {
			l.Stack = append(l.Stack, frameOf(f))
		}
		if t.Since > 0 {
			l.Object, l.Since = t.Object, []int{t.Since}
			for _, c := range t.Cases {
				if c.Object != 0 && c.Object != l.Object && !slices.Contains(l.Others, c.Object) {
					l.Others = append(l.Others, c.Object)
				}
			}
			if t.Call != "" && !strings.HasPrefix(t.Call, "sync.") { // that is what it waits for
				l.Call = path.Base(t.Call)
			}
		}
		i := slices.IndexFunc(all, func(other Left) bool {
			return other.Name == l.Name && other.Waits == l.Waits && other.Call == l.Call && other.Object == l.Object && other.Partners == l.Partners && slices.Equal(other.Others, l.Others) &&
				len(other.Since) > 0 && len(l.Since) > 0 && slices.Equal(other.Stack, l.Stack)
		})
		if i < 0 {
			if _, known := at[stands]; !known {
				at[stands] = len(all)
			}
			all = append(all, l)
			continue
		}
		all[i].Tasks, all[i].Since = append(all[i].Tasks, t.Path), append(all[i].Since, t.Since)
	}
	return all
}

// text returns a headline and a line for each frame.
func (l *Left) text(width int) string {
	each := " "
	head := "task "
	if len(l.Tasks) > 1 {
		head, each = fmt.Sprintf("%d tasks, ", len(l.Tasks)), ": each "
	}
	head += control.Title(l.Names(), l.Name) + each + l.Waits
	if l.Object > 0 {
		head += " " + object(l.Object)
	}
	for _, o := range l.Others {
		head += " or " + object(o)
	}
	if l.Call != "" {
		head += " in " + l.Call
	}
	if len(l.Since) > 0 {
		head += ", since step " + l.steps()
	}
	var b strings.Builder
	b.WriteString(plain.Wrap(head, width, "        ") + "\n")
	if l.Partners != "" {
		b.WriteString(plain.Wrap("    "+l.Partners, width, "        ") + "\n")
	}
	writeStack(&b, l.Stack)
	if also := l.Also(); also != "" {
		b.WriteString(plain.Wrap("    "+also, width, "        ") + "\n")
	}
	return b.String()
}

// Names lists the paths of the tasks, the first few of many.
func (l *Left) Names() string { return control.Paths(l.Tasks) }

// steps lists the steps since when.
func (l *Left) steps() string {
	var steps []string
	for _, step := range l.Since {
		steps = append(steps, strconv.Itoa(step))
	}
	return control.Paths(steps)
}

// Also names the tasks that wait alike at the same place.
func (l *Left) Also() string {
	switch len(l.Alike) {
	case 0:
		return ""
	case 1:
		return "and so does " + l.Alike[0]
	}
	return fmt.Sprintf("and so do %d others: %s ... %s", len(l.Alike), l.Alike[0], l.Alike[len(l.Alike)-1])
}

func writeStack(b *strings.Builder, stack []Frame) {
	for _, f := range stack {
		fmt.Fprintf(b, "    %s (%s:%d)\n", f.Function, f.File, f.Line)
	}
}

// EachFile replaces the names of files in stacks.
func (p *Page) EachFile(name func(string) string) {
	stacks := [][]Frame{p.Stack}
	for i := range p.Left {
		stacks = append(stacks, p.Left[i].Stack)
	}
	for _, stack := range stacks {
		for i := range stack {
			stack[i].File = name(stack[i].File)
		}
	}
}

// StackOf returns the stack of a goroutine as the runtime prints it, without the frames of the runtime and
// of packages like sync; nil if the text is not that.
func StackOf(text string) (stack []Frame) {
	for _, g := range goroutines.Parse(text) {
		for f := range g.Frames() {
			if f.OfLibrary() {
				continue
			}
			at := strings.LastIndexByte(f.File, ':')
			line, err := strconv.Atoi(f.File[at+1:])
			if at >= 0 && err == nil {
				stack = append(stack, Frame{goroutines.Short(f.Function), f.File[:at], line})
			}
		}
		break
	}
	return stack
}

// Text returns the table, the explanation, the tasks that are part of the verdict, and everything else, in
// paragraphs, for a width in columns of text; 0 means any.
func (p *Page) Text(width int) string {
	var b strings.Builder
	b.WriteString(plain.Wrap(p.Head, width, "    ") + "\n")
	left := ""
	for _, l := range p.Left {
		left += "\n" + l.text(width)
	}
	if p.Table != nil {
		table := p.Table.Text(width)
		b.WriteString("\n" + table)
		if names := p.names(table + strings.Join(p.Why, "\n") + left); names != "" {
			b.WriteString("\n" + plain.Wrap(names, width, "    ") + "\n")
		}
		for i, line := range p.Why {
			if i == 0 {
				b.WriteByte('\n')
			}
			b.WriteString(plain.Wrap(line, width, strings.Repeat(" ", labelWidth)) + "\n")
		}
	}
	b.WriteString(left)
	if len(p.Stack) > 0 {
		b.WriteString("\nstack of the panic\n")
		writeStack(&b, p.Stack)
	}
	for _, text := range []string{p.Detail, p.Log} {
		if text != "" {
			b.WriteString("\n" + text)
		}
	}
	b.WriteByte('\n')
	for _, note := range p.Notes {
		b.WriteString(note + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

// names lists the names of the objects in a text, those that are known.
func (p *Page) names(text string) string {
	var numbers []int
	for n := range p.Objects {
		if strings.Contains(text, object(n)) {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	var parts []string
	for _, n := range numbers {
		parts = append(parts, object(n)+" "+p.Objects[n])
	}
	return strings.Join(parts, ", ")
}
