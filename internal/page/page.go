package page

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/rouse-go/rouse/chaos/explain"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/plain"
)

// A Failure holds the data of a page.
type Failure struct {
	Title   string // title of the test or the scenario
	Verdict verdict.Verdict
	Summary string // one line
	Command string // command that repeats it; "" if there is none
	// Page is the report as data. Timelines holds the executions, with their sources.
	Page      *explain.Page
	Timelines *explain.Timelines
}

var (
	//go:embed page.html
	markup string
	//go:embed page.css
	style string
	//go:embed page.js
	script string
)

var pages = template.Must(template.New("page").Parse(markup))

// policy allows the page its own script and style, and nothing else.
var policy = "default-src 'none'; base-uri 'none'; form-action 'none'; script-src " + hash(script) + "; style-src " + hash(style)

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// view is the data for the template.
type view struct {
	*Failure
	Policy   string
	Style    template.CSS
	Script   template.JS
	Data     template.JS
	Why      [][2]string
	Decisive []decisive
	Rows     []row    // steps of the minimal schedule, for readers without JavaScript
	Lengths  []string // lengths of the schedules; empty if there is no execution
	Left     []explain.Left
	Waits    []explain.Wait
	Notes    []string
	Detail   []string
}

// shown is the data for the script.
type shown struct {
	*explain.Timelines
	Begin [2]int `json:"begin"` // the steps at which the timelines are opened
}

// Write writes the page of a failure.
func Write(w io.Writer, f *Failure) error {
	v := view{Failure: f, Policy: policy, Style: template.CSS(style), Script: template.JS(script)} //nolint:gosec // they are this package's
	lines := &explain.Timelines{}
	if f.Timelines != nil {
		*lines = explain.Timelines{Minimal: shortened(f.Timelines.Minimal), Found: shortened(f.Timelines.Found), Sources: f.Timelines.Sources}
	}
	data, err := json.Marshal(shown{lines, [2]int{first(lines.Minimal), first(lines.Found)}}) // which escapes <, >, &, U+2028 and U+2029
	if err != nil {
		return err
	}
	v.Data = template.JS(visible(data)) //nolint:gosec // see above
	v.fill(lines)
	var b bytes.Buffer
	if err := pages.Execute(&b, &v); err != nil {
		return err
	}
	_, err = io.WriteString(w, plain.Hidden(b.String()))
	return err
}

// visible escapes the characters of JSON that are not ASCII, because some of them are invisible.
func visible(data []byte) string {
	var b strings.Builder
	for _, r := range string(data) {
		switch {
		case r < 0x80:
			b.WriteRune(r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		}
	}
	return b.String()
}

// shortened returns the timeline with short names of objects.
func shortened(t *explain.Timeline) *explain.Timeline {
	if t == nil {
		return nil
	}
	short := *t
	short.Objects = shortNames(t.Objects)
	return &short
}

// Why returns the lines that explain the failure, each as a label and a text that names objects.
func Why(p *explain.Page) (lines [][2]string) {
	names := shortNames(p.Objects)
	for _, line := range p.Why {
		label, text, _ := strings.Cut(line, " ")
		lines = append(lines, [2]string{label, named(strings.TrimSpace(text), names)})
	}
	return lines
}

func (v *view) fill(lines *explain.Timelines) {
	if p := v.Page; p != nil {
		v.Why, v.Left, v.Notes = Why(p), p.Left, p.Notes
		for _, text := range []string{p.Detail, p.Log} {
			if text != "" {
				v.Detail = append(v.Detail, text)
			}
		}
	}
	if t := lines.Minimal; t != nil {
		v.Waits = slices.Clone(t.Waits)
		for i := range v.Waits {
			w := &v.Waits[i]
			if w.Text = named(w.Text, t.Objects); w.Object > 0 {
				w.Text += ": " + objectName(w.Object, t.Objects)
			}
			if w.Partners != "" {
				w.Text += "; " + named(w.Partners, t.Objects)
			} else if len(w.For) == 1 && w.For[0] == w.Task {
				w.Text += "; it holds that itself"
			} else if len(w.For) > 0 {
				w.Text += "; " + strings.Join(w.For, ", ") + " could end that"
			}
		}
		v.Decisive = decisives(t, lines.Sources)
		for i := range t.Steps {
			v.Rows = append(v.Rows, rowOf(t, i, lines.Sources))
		}
		v.Notes = append(v.Notes[:len(v.Notes):len(v.Notes)], t.Notes...)
	}
	switch {
	case lines.Minimal != nil && lines.Found != nil:
		v.Lengths = []string{"Shrunk: " + length(lines.Minimal), "As found: " + length(lines.Found)}
	case lines.Minimal != nil:
		v.Lengths = []string{length(lines.Minimal)}
	}
}

// length describes the length of a timeline and its schedule.
func length(t *explain.Timeline) string {
	return counted(t.Decisions, "decision", "decisions") + " other than the default, " + counted(len(t.Steps), "row", "rows") + ", " +
		counted(t.Switches, "switch", "switches") + " between " + counted(len(t.Lanes), "task", "tasks")
}

// counted formats a number with a noun.
func counted(n int, one, several string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, several)
}
