package page

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/rouse-go/rouse/chaos/explain"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// hostile is text that would be markup, or code, in a page that does not escape it: what runs sets the title.
const hostile = "</script></noscript></style><script>document.title='injected'</script><img src=x onerror=\"document.title='injected'\">" +
	"`${document.title='injected'}` {{.}} &lt; \u2028 \u202e </title>"

// lost is a failure with a lost wakeup, in which each string is also text, which is empty or hostile.
func lost(text string) *Failure {
	file := "queue/queue.go" + text
	t := &explain.Timeline{
		Lanes: []explain.Lane{{Task: "main" + text, Title: "main (TestClose)" + text, Last: -1}, {Task: "main/0" + text, Title: "main/0" + text, First: 1, Last: -1}},
		Steps: []explain.Step{
			{Kind: "begin", Text: "begin" + text},
			{Lane: 1, Step: 1, Kind: "load", Text: "atomic.(*Bool).Load" + text, Objects: []int{1}, File: file, Line: 40, Callers: []int{0}, Kept: true},
			{Step: 2, Kind: "store", Text: "atomic.(*Bool).Store" + text, Objects: []int{1}, File: file, Line: 32, Kept: true, Switch: "main" + text},
			{Lane: 1, Step: 3, Kind: "wait", Text: "sync.(*Cond).Wait" + text, Objects: []int{2}, File: file, Line: 43, Remarks: []string{"waits" + text}, Value: "1 in the buffer" + text},
		},
		Edges:   []explain.Edge{{From: 0, To: 1, Kind: "go"}},
		Spans:   []explain.Span{{Lane: 1, Kind: "wait", Object: 2, From: 3, To: -1}},
		Waits:   []explain.Wait{{Task: "main/0" + text, For: []string{"main" + text}, Object: 2, Text: "main/0 waits for main" + text}},
		Marks:   []explain.Mark{{Kind: "order", Steps: []int{1, 2}, Text: "the other way round it passes" + text}, {Kind: "panic", Text: text, Steps: []int{3}}},
		Objects: map[int]string{1: "q.closed" + text + " (queue.go:14)", 2: "q.filled" + text},
		Notes:   []string{"a note" + text},
		Frames:  []explain.Frame{{Function: "queue.take" + text, File: file, Line: 43}},
	}
	return &Failure{
		Title: "example.com/queue TestClose" + text, Verdict: "deadlock", Summary: "no task can continue" + text, Command: "stress test" + text,
		Page: &explain.Page{
			Head: text, Objects: t.Objects, Why: []string{"checked       main/0's Load [1]" + text}, Detail: "detail" + text, Log: "log" + text, Notes: []string{text},
			Left: []explain.Left{{Tasks: []string{"main" + text}, Name: text, Waits: text, Stack: []explain.Frame{{Function: text, File: file}}}}, Stack: []explain.Frame{{Function: text, File: file}},
		},
		Timelines: &explain.Timelines{Minimal: t, Found: t, Sources: map[string]map[int]string{file: {
			32: "\tq.closed.Store(true)" + text, 39: "\t" + text, 40: "\tif q.closed.Load() {" + text, 43: "\t\tq.filled.Wait()" + text,
		}}},
	}
}

func written(t testing.TB, f *Failure) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, f); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestDecisiveLines: both lines of the reversed order are above everything else, with their tasks and places.
func TestDecisiveLines(t *testing.T) {
	page := written(t, lost(""))
	at := 0
	for _, want := range []string{
		"<h1>example.com/queue TestClose</h1>", "In this order it fails", "main/0", "if q.closed.Load() {", "queue.go:40, step 1", "called at queue.go:43", "q.filled.Wait()", "q.closed.Store(true)", "queue.go:32, step 2",
		"<dt>checked</dt><dd>main/0&#39;s Load q.closed</dd>", "stress test", "<noscript>", "sync.(*Cond).Wait q.filled",
	} {
		n := strings.Index(page[at:], want)
		if n < 0 {
			t.Fatalf("%q is not there, or before its turn", want)
		}
		at += n
	}
}

// TestHostileText: what comes from the subject makes no element and ends none, and the data arrive unchanged.
func TestHostileText(t *testing.T) {
	page, calm := written(t, lost(hostile)), written(t, lost(""))
	for _, tag := range []string{"<script", "</script", "<noscript", "</noscript", "<style", "</style", "<title", "</title", "<img"} {
		if got, want := strings.Count(page, tag), strings.Count(calm, tag); got != want {
			t.Errorf("%s: %d times, want %d", tag, got, want)
		}
	}
	if strings.ContainsAny(page, "\u2028\u202e") {
		t.Error("a character that cannot be seen is not escaped")
	}
	data := regexp.MustCompile(`(?s)id="data">(.*?)</script>`).FindStringSubmatch(page)
	var lines explain.Timelines
	if err := json.Unmarshal([]byte(data[1]), &lines); err != nil {
		t.Fatal(err)
	}
	if got, want := lines.Minimal.Steps[0].Text, "begin"+hostile; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestPolicy: the policy names the hashes of the script and the style as they are in the page, and allows nothing else.
func TestPolicy(t *testing.T) {
	page := written(t, lost(""))
	for _, element := range []string{"script", "style"} {
		found := regexp.MustCompile(`(?s)<` + element + `>(.*?)</` + element + `>`).FindStringSubmatch(page)
		if found == nil {
			t.Fatalf("no %s", element)
		}
		if want := fmt.Sprintf("%s-src %s", element, hash(found[1])); !strings.Contains(html.UnescapeString(page), want) {
			t.Errorf("the policy has not %s", want)
		}
	}
	for _, not := range []string{"unsafe", "http:", "https:", "src=", "href="} {
		if strings.Contains(strings.ReplaceAll(page, "http://www.w3.org/2000/svg", ""), not) {
			t.Errorf("the page has %s", not)
		}
	}
}

// TestWithoutTimeline: a failure of which there is only the text is a page as well.
func TestWithoutTimeline(t *testing.T) {
	f := lost("")
	f.Timelines = nil
	if page := written(t, f); !strings.Contains(page, "no task can continue") || strings.Contains(page, `id="app"`) {
		t.Error(page)
	}
}

// TestLocks: of a deadlock the lines that took the locks and those that wait for them are at the top.
func TestLocks(t *testing.T) {
	f := lost("")
	m := f.Timelines.Minimal
	m.Marks, m.Waits = nil, nil
	m.Spans = []explain.Span{{Lane: 1, Kind: "hold", Object: 1, From: 1, To: -1}, {Kind: "wait", Object: 1, From: 3, To: -1}}
	page := written(t, f)
	at := strings.Index(page, "Locks that tasks hold")
	for _, want := range []string{"if q.closed.Load() {", "q.filled.Wait() <em>waits", "queue.go:43"} {
		if n := strings.Index(page[max(at, 0):], want); at < 0 || n < 0 {
			t.Errorf("%q is not there", want)
		}
	}
}

// TestCauseFirst: a page is opened at the cause and lists it first, whichever mark comes first in the data, and what
// another mark explains is not listed again.
func TestCauseFirst(t *testing.T) {
	order, panics, check, missed := explain.Mark{Kind: "order", Steps: []int{1, 2}}, explain.Mark{Kind: "panic", Steps: []int{3}}, explain.Mark{Kind: "check", Steps: []int{0}}, explain.Mark{Kind: "notification", Steps: []int{2}}
	for name, test := range map[string]struct {
		marks []explain.Mark
		kinds string
		begin int
	}{
		"an order and what follows": {[]explain.Mark{panics, check, missed, order}, "order panic ", 1},
		"a notification":            {[]explain.Mark{check, missed}, "notification ", 2},
		"a check":                   {[]explain.Mark{check}, "check ", 0},
		"nothing":                   {nil, "", 3},
	} {
		l := lost("").Timelines.Minimal
		l.Marks = test.marks
		kinds := ""
		for _, d := range decisives(l, nil) {
			kinds += d.Kind + " "
		}
		if kinds != test.kinds || first(l) != test.begin {
			t.Errorf("%s: %q from step %d, want %q from step %d", name, kinds, first(l), test.kinds, test.begin)
		}
	}
	l := lost("").Timelines.Minimal
	l.Marks = []explain.Mark{{Kind: "order", Steps: []int{2}}}
	if d := decisives(l, nil); len(d) != 1 || d[0].Title != otherwise {
		t.Errorf("a choice is shown as %+v", d)
	}
	l.Marks[0].Text = "fails if main's Lock [1] at a.go:1 comes before main/0's Load [1]; passes if main/0's Load [1] comes first"
	if d := decisives(l, nil); len(d) != 1 || d[0].Title != "This decides; it passes if main/0's Load q.closed (queue.go:14) comes first" {
		t.Errorf("an operation that never comes is shown as %+v", d)
	}
}

// TestPartners: a wait says which tasks have used the other side; and what had closed a channel is a line at the top,
// unless the order has it.
func TestPartners(t *testing.T) {
	f := lost("")
	m := f.Timelines.Minimal
	m.Waits[0].Partners = "[2]: last signalled by main at queue.go:33, step 2 (waits)"
	m.Marks = []explain.Mark{{Kind: "panic", Steps: []int{3}}, {Kind: "closed", Steps: []int{2}}}
	const wait, title = "main/0 waits for main: q.filled; q.filled: last signalled by main at queue.go:33, step 2 (waits)</li>", "<h2>What had closed the channel</h2>"
	if page := written(t, f); !strings.Contains(page, wait) || !strings.Contains(page, title) {
		t.Error(page)
	}
	m.Marks = append(m.Marks, explain.Mark{Kind: "order", Steps: []int{1, 2}})
	if page := written(t, f); strings.Contains(page, title) {
		t.Error(page)
	}
}

// TestLengths: the page says how long both schedules are, or the only one.
func TestLengths(t *testing.T) {
	f := lost("")
	found := *f.Timelines.Minimal
	found.Decisions, found.Switches = 12, 1
	f.Timelines.Found = &found
	const only, both = "0 decisions other than the default, 4 rows, 0 switches between 2 tasks.", "As found: 12 decisions other than the default, 4 rows, 1 switch between 2 tasks."
	if page := written(t, f); !strings.Contains(page, "Shrunk: "+only) || !strings.Contains(page, both) {
		t.Error(page)
	}
	f.Timelines.Found = nil
	if page := written(t, f); !strings.Contains(page, ">"+only) || strings.Contains(page, "As found: ") {
		t.Error(page)
	}
}

// tagsOf returns the elements of a document with the names of their attributes: all that text must not change.
func tagsOf(document string) string {
	var b strings.Builder
	for {
		_, rest, found := strings.Cut(document, "<")
		if !found {
			return b.String()
		}
		quote := byte(0)
		i := 0
		for ; i < len(rest) && (quote != 0 || rest[i] != '>'); i++ {
			switch c := rest[i]; {
			case c == quote:
				quote = 0
			case quote != 0:
			case c == '"' || c == '\'':
				quote = c
			default:
				b.WriteByte(c)
			}
		}
		b.WriteByte('\n')
		document = rest[i:]
	}
}

// dataOf returns the data of a page, and the page without them.
func dataOf(t *testing.T, page string) (data, rest string) {
	t.Helper()
	before, after, ok := strings.Cut(page, `id="data">`)
	data, after, ends := strings.Cut(after, "</script>")
	if !ok || !ends {
		t.Fatalf("the page has no data:\n%s", page)
	}
	return data, before + after
}

// calm is a text as long as another, with the same lines and blanks, that means nothing.
func calm(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return r
		}
		return 'x'
	}, text)
}

// Catches: text that makes an element or an attribute of a page, characters of it that cannot be seen, and data that do not
// arrive as they are.
func FuzzWrite(f *testing.F) {
	for _, text := range []string{"", "x", hostile, "<", "&", "'\"><b a=`", "-->", "]]>", "\x00\x1b[31m\u202e\xff", "{{.}}", "\\u003c/script>", "[1]", "[99999999999999999999]", "; passes [1]", "a\nb  c", " (x"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		page := written(t, lost(text))
		data, rest := dataOf(t, page)
		_, want := dataOf(t, written(t, lost(calm(text))))
		if tagsOf(rest) != tagsOf(want) {
			t.Fatalf("%q changes the page:\n%s", text, page)
		}
		if strings.ContainsFunc(page, func(r rune) bool { return r != '\n' && r != '\t' && unicode.IsControl(r) }) || !utf8.ValidString(page) {
			t.Fatalf("%q: the page has characters that cannot be seen:\n%q", text, page)
		}
		if strings.Contains(data, "<") {
			t.Fatalf("%q: the data have an element:\n%s", text, page)
		}
		var lines explain.Timelines
		if err := json.Unmarshal([]byte(data), &lines); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if got, want := lines.Minimal.Steps[0].Text, "begin"+strings.ToValidUTF8(text, "\ufffd"); utf8.ValidString(text) && got != want {
			t.Fatalf("got %q, want %q", got, want)
		}
	})
}
