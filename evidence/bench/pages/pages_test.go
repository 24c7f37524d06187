package pages

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/rouse-go/rouse/internal/page"
)

// start starts a browser for a test.
func start(t *testing.T) *Browser {
	t.Helper()
	b, err := Start(t.Context())
	if errors.Is(err, exec.ErrNotFound) {
		t.Skip("no Chromium here to look at pages with")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}

// written is the file of the page of a failure.
func written(t *testing.T, f *page.Failure) string {
	t.Helper()
	file, err := Write(t.TempDir(), "page.html", f)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// opened opens a file; at the end of the test the page has asked for nothing, and its script has not failed.
func opened(t *testing.T, b *Browser, file string, v View) *Tab {
	t.Helper()
	tab, err := b.Open(file, v)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if all := tab.Requests(); len(all) > 0 {
			t.Errorf("the page asks for %q", all)
		}
		if all := tab.Problems(); len(all) > 0 {
			t.Errorf("the script fails: %q", all)
		}
		tab.Close()
	})
	return tab
}

// eval is what a script evaluates to.
func eval[T any](t *testing.T, tab *Tab, script string) T {
	t.Helper()
	v, err := Eval[T](tab, script)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// want fails the test unless a script evaluates to that.
func want[T comparable](t *testing.T, tab *Tab, script string, want T) {
	t.Helper()
	if got := eval[T](t, tab, script); got != want {
		t.Errorf("%s is %v, want %v", script, got, want)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Scripts about what a page shows.
const (
	count    = `document.querySelector('.count').textContent`
	here     = `document.querySelector('.row.now .n').textContent`
	settled  = `new Promise(f => requestAnimationFrame(() => requestAnimationFrame(() => f(true))))`
	overflow = `Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)`
	// inView is whether the row of the present step is in view, in its box.
	inView = `(() => { const r = document.querySelector('.row.now').getBoundingClientRect(), v = document.querySelector('.view').getBoundingClientRect(); return r.top >= v.top && r.bottom <= v.bottom; })()`
	// unmarked are rows of what decides that are not there.
	unmarked = `[...document.querySelectorAll('[data-go]')].filter(e => ![...document.querySelectorAll('.row .n')].some(n => +n.textContent === +e.dataset.go + 1)).length`
)

// TestViews: in light and dark, wide and narrow, the page opens at the first line of what decides, whose row is in
// view, and nothing is wider than the screen.
func TestViews(t *testing.T) {
	b := start(t)
	file := written(t, Long(400))
	colours := map[string]bool{}
	for name, v := range map[string]View{"light": {}, "dark": {Dark: true}, "narrow": {Width: 400, Height: 800}} {
		t.Run(name, func(t *testing.T) {
			tab := opened(t, b, file, v)
			want(t, tab, count, "row 201 of 400")
			want(t, tab, here, "201")
			want(t, tab, inView, true)
			want(t, tab, overflow, 0)
			want(t, tab, `document.querySelector('.row.now .at').title`, "internal/warehouse/deliveries_of_the_day.go:104")
			want(t, tab, `document.querySelector('.row.now .at').textContent`, "…ies_of_the_day.go:104")
			colours[eval[string](t, tab, `getComputedStyle(document.body).backgroundColor`)] = true
		})
	}
	if len(colours) != 2 {
		t.Errorf("backgrounds %v, want two", colours)
	}
}

// TestSlider: the slider, the keys and the lines at the top go to steps.
func TestSlider(t *testing.T) {
	tab := opened(t, start(t), written(t, Long(400)), View{})
	eval[bool](t, tab, `(() => { const s = document.querySelector('input[type=range]'); s.value = 7; s.dispatchEvent(new Event('input')); return true; })()`)
	eval[bool](t, tab, settled)
	want(t, tab, count, "row 8 of 400")
	want(t, tab, inView, true)
	must(t, tab.Press(kb.ArrowRight))
	must(t, tab.Press(kb.ArrowRight))
	must(t, tab.Press(kb.ArrowLeft))
	want(t, tab, count, "row 9 of 400")
	must(t, tab.Click(`[data-go="202"]`))
	want(t, tab, count, "row 203 of 400")
	must(t, tab.Press(kb.ArrowRight))
	want(t, tab, here, "204")
}

// TestFound: the schedule as it was found is beside the shrunk one, with how long each is.
func TestFound(t *testing.T) {
	tab := opened(t, start(t), written(t, Long(400)), View{})
	want(t, tab, `document.querySelectorAll('.length').length`, 2)
	want(t, tab, `document.querySelectorAll('.length')[1].textContent`, "As found: 412 decisions other than the default, 400 rows, 199 switches between 4 tasks.")
	want(t, tab, `document.querySelectorAll('[role=tab]').length`, 2)
	must(t, tab.Click(`[role=tab]:nth-of-type(2)`))
	want(t, tab, `document.querySelector('[aria-selected=true][role=tab]').textContent`, "As found")
	want(t, tab, `document.querySelectorAll('.row.marked').length`, 0)
	must(t, tab.Click(`[role=tab]:nth-of-type(1)`))
	want(t, tab, count, "row 201 of 400")
}

// TestCollapsed: what decides nothing is collapsed, and opens on a click, by the slider, and all at once; what
// decides is never in it.
func TestCollapsed(t *testing.T) {
	tab := opened(t, start(t), written(t, Turns(8)), View{})
	const folds = `[...document.querySelectorAll('.row.fold')].length`
	want(t, tab, folds, 4)
	want(t, tab, unmarked, 0)
	want(t, tab, here, "10")
	must(t, tab.Click(`.row.fold`))
	want(t, tab, folds, 3)
	want(t, tab, unmarked, 0)
	eval[bool](t, tab, `(() => { const s = document.querySelector('input[type=range]'); s.value = 18; s.dispatchEvent(new Event('input')); return true; })()`)
	eval[bool](t, tab, settled)
	want(t, tab, here, "19")
	want(t, tab, folds, 2)
	must(t, tab.Click(`.bar > button:last-of-type`))
	want(t, tab, folds, 0)
}

// TestPrint: printing ends; of a long execution that is printed which decides, and the page says that it is not all.
func TestPrint(t *testing.T) {
	b := start(t)
	for name, f := range map[string]*page.Failure{"short": Long(40), "long": Long(10_004), "collapsed": Turns(30)} {
		t.Run(name, func(t *testing.T) {
			tab := opened(t, b, written(t, f), View{})
			pdf, err := tab.Print()
			if err != nil {
				t.Fatal(err)
			}
			if n := len(regexp.MustCompile(`/Type\s*/Page\b`).FindAll(pdf, -1)); n < 1 || n > 30 {
				t.Errorf("%d pages", n)
			}
			steps := len(f.Timelines.Minimal.Steps)
			eval[bool](t, tab, `dispatchEvent(new Event('beforeprint'))`)
			want(t, tab, unmarked, 0)
			want(t, tab, `document.querySelectorAll('.row:not(.fold)').length <= 300`, true)
			want(t, tab, `document.querySelectorAll('.row.fold').length > 0`, steps > 300)
			want(t, tab, `document.querySelector('.printed').textContent.startsWith('Printed are')`, steps > 300)
			eval[bool](t, tab, `dispatchEvent(new Event('afterprint'))`)
			want(t, tab, `document.querySelector('.printed').textContent`, "")
		})
	}
}

// TestLong: of 10,000 steps only the rows in view are drawn, wherever the slider is.
func TestLong(t *testing.T) {
	tab := opened(t, start(t), written(t, Long(10_004)), View{})
	for _, at := range []int{0, 5000, 10_003} {
		eval[bool](t, tab, fmt.Sprintf(`(() => { const s = document.querySelector('input[type=range]'); s.value = %d; s.dispatchEvent(new Event('input')); return true; })()`, at))
		eval[bool](t, tab, settled)
		want(t, tab, here, fmt.Sprint(at+1))
		want(t, tab, inView, true)
		want(t, tab, `document.querySelectorAll('.row').length < 80`, true)
		want(t, tab, `document.querySelectorAll('.view svg *').length < 600`, true)
	}
}

// attack would set the title, in each place in which a page could take text for markup or code.
const attack = "</script></noscript></style></title><script>document.title='injected'</script><img src=x onerror=\"document.title='injected'\">" +
	"<svg onload=\"document.title='injected'\">\" onmouseover=\"document.title='injected'\" autofocus onfocus=\"document.title='injected'\" '`${document.title='injected'}` {{.}} \u2028\u202e"

// attacked appends the attack to each string of a value, but for the kinds of marks and spans, which are not the
// subject's.
func attacked(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			attacked(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).Name != "Kind" {
				attacked(v.Field(i))
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			attacked(v.Index(i))
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			k, e := reflect.New(key.Type()).Elem(), reflect.New(v.Type().Elem()).Elem()
			k.Set(key)
			e.Set(v.MapIndex(key))
			attacked(k)
			attacked(e)
			v.SetMapIndex(key, reflect.Value{})
			v.SetMapIndex(k, e)
		}
	case reflect.String:
		v.SetString(v.String() + attack)
	}
}

// TestInjection: whatever a string of the subject is, it is text. Of the same page in which the attack is markup it
// runs if the policy is taken out, and does not run because of the policy.
func TestInjection(t *testing.T) {
	b := start(t)
	f := Long(40)
	f.Timelines.Found = nil // it shares the steps
	attacked(reflect.ValueOf(f))
	hostile := written(t, f)
	tab := opened(t, b, hostile, View{})
	for _, at := range []int{0, 20, 39} {
		eval[bool](t, tab, fmt.Sprintf(`(() => { const s = document.querySelector('input[type=range]'); s.value = %d; s.dispatchEvent(new Event('input')); return true; })()`, at))
		eval[bool](t, tab, settled)
	}
	want(t, tab, `document.title.startsWith('deadlock</script>')`, true)
	want(t, tab, `document.images.length + document.querySelectorAll('[onload],[onerror],[onfocus],[onmouseover]').length`, 0)
	want(t, tab, `document.querySelector('.panel').textContent.includes('<img src=x')`, true)

	text, err := os.ReadFile(written(t, Long(40)))
	must(t, err)
	raw := strings.Replace(string(text), "<h1>", "<h1>"+attack, 1)
	open := regexp.MustCompile(`<meta http-equiv="Content-Security-Policy"[^>]*>`).ReplaceAllString(raw, "")
	for name, c := range map[string]struct{ text, title string }{
		"with the policy":    {raw, "deadlock: example.com/warehouse TestDeliveries"},
		"without the policy": {open, "injected"},
	} {
		file := filepath.Join(t.TempDir(), "raw.html")
		must(t, os.WriteFile(file, []byte(c.text), 0o644))
		tab, err := b.Open(file, View{}) // it may ask for its image
		must(t, err)
		eval[bool](t, tab, settled)
		if got := eval[string](t, tab, `document.title`); got != c.title {
			t.Errorf("%s: the title is %q, want %q", name, got, c.title)
		}
		tab.Close()
	}
}

// TestPermalink: the address follows the selected row, and opens the page at it.
func TestPermalink(t *testing.T) {
	b := start(t)
	tab := opened(t, b, written(t, Long(400)), View{})
	eval[bool](t, tab, `new Promise(f => { onhashchange = () => f(true); location.hash = 'row-17'; })`)
	want(t, tab, count, "row 17 of 400")
	want(t, tab, inView, true)
	must(t, tab.Press(kb.ArrowRight))
	want(t, tab, `new Promise(f => { const look = () => location.hash === '#row-18' ? f(true) : setTimeout(look, 20); look(); })`, true)
	eval[bool](t, tab, `new Promise(f => { onhashchange = () => f(true); location.hash = 'found-33'; })`)
	want(t, tab, `document.querySelector('[aria-selected=true][role=tab]').textContent`, "As found")
	want(t, tab, count, "row 33 of 400")
}

// TestFind: n and p go to decisive steps, a search goes to the next step that has the text, and a filter leaves the
// rows of one task.
func TestFind(t *testing.T) {
	tab := opened(t, start(t), written(t, Long(400)), View{})
	must(t, tab.Press("n"))
	want(t, tab, count, "row 203 of 400")
	must(t, tab.Press("n"))
	want(t, tab, count, "row 397 of 400")
	must(t, tab.Press("p"))
	must(t, tab.Press("p"))
	want(t, tab, count, "row 201 of 400")
	// Chromium's protocol sends the character of a key even if keydown is cancelled.
	eval[bool](t, tab, `document.body.dispatchEvent(new KeyboardEvent('keydown', {key: '/', bubbles: true, cancelable: true})) === false`)
	for _, key := range []string{"7", " ", "O", "f", kb.Enter} {
		must(t, tab.Press(key))
	}
	want(t, tab, `document.querySelector('[type=search]').value`, "7 Of")
	want(t, tab, `document.querySelector('.row.now .what').textContent`, "send w.orders 7 of 9")
	want(t, tab, `document.activeElement.type`, "search")
	eval[bool](t, tab, `(() => { const s = document.querySelector('select'); s.value = '2'; s.dispatchEvent(new Event('change')); return true; })()`)
	want(t, tab, `[...document.querySelectorAll('.row')].every(e => e.classList.contains('l2'))`, true)
	want(t, tab, inView, true)
	must(t, tab.Click(`[data-go="202"]`))
	want(t, tab, here, "203")
}

// TestKeepsSelection: opening and collapsing all leaves the selected row selected and in view.
func TestKeepsSelection(t *testing.T) {
	tab := opened(t, start(t), written(t, Turns(60)), View{})
	must(t, tab.Press("n"))
	want(t, tab, here, "240")
	must(t, tab.Click(`.bar > button:last-of-type`))
	want(t, tab, here, "240")
	want(t, tab, inView, true)
}

// TestCopy: a button copies the command, without the button's own text.
func TestCopy(t *testing.T) {
	tab := opened(t, start(t), written(t, Long(40)), View{})
	eval[bool](t, tab, `(() => { navigator.clipboard.writeText = async s => { window.copied = s; }; return true; })()`)
	must(t, tab.Click(`[aria-label="copy the command"]`))
	want(t, tab, `window.copied`, "stress test ./warehouse -run '^TestDeliveries$' --replay x.rouse")
}

// TestColours: twenty tasks have twenty colours.
func TestColours(t *testing.T) {
	f := Long(40)
	for m := f.Timelines.Minimal; len(m.Lanes) < 20; {
		m.Lanes = append(m.Lanes, m.Lanes[0])
	}
	tab := opened(t, start(t), written(t, f), View{})
	want(t, tab, `new Set([...document.querySelectorAll('.heads span')].map(e => getComputedStyle(e, '::before').backgroundColor)).size`, 20)
}

// TestSideBySide: the two lines that decide are beside each other where there is room, and below each other where not.
func TestSideBySide(t *testing.T) {
	b, file := start(t), written(t, Long(40))
	const beside = `(() => { const [a, b] = [...document.querySelectorAll('.mark-order li')].map(e => e.getBoundingClientRect()); return a.top === b.top && a.right <= b.left; })()`
	want(t, opened(t, b, file, View{Width: 1400, Height: 900}), beside, true)
	want(t, opened(t, b, file, View{Width: 500, Height: 900}), beside, false)
}

// TestMap: a click on the map goes to the step there; a short execution has no map.
func TestMap(t *testing.T) {
	b := start(t)
	tab := opened(t, b, written(t, Long(1000)), View{})
	must(t, tab.Click(`.map`)) // in the middle
	now := eval[int](t, tab, `+document.querySelector('.row.now .n').textContent`)
	eval[bool](t, tab, `(() => { const m = document.querySelector('.map'), r = m.getBoundingClientRect(); m.dispatchEvent(new MouseEvent('click', {clientX: r.left + r.width * 0.9, clientY: r.top + 5})); return true; })()`)
	if later := eval[int](t, tab, `+document.querySelector('.row.now .n').textContent`); now < 495 || now > 505 || later < 895 || later > 905 {
		t.Errorf("clicks in the middle and at nine tenths go to %d and %d of 1000", now, later)
	}
	want(t, tab, `new Set(document.querySelector('.map').getContext('2d').getImageData(0, 0, 100, 10).data).size > 3`, true)
	want(t, opened(t, b, written(t, Long(40)), View{}), `getComputedStyle(document.querySelector('.map')).display`, "none")
}

// TestCycle: of a deadlock, the picture of the waits is above the fold.
func TestCycle(t *testing.T) {
	tab := opened(t, start(t), written(t, Long(40)), View{Width: 1400, Height: 900})
	want(t, tab, `(() => { const r = document.querySelector('#graph svg').getBoundingClientRect(); return r.height > 0 && r.bottom < 900; })()`, true)
}

// TestOneLine: steps of one line that decide nothing are a row with that line, which opens on a click.
func TestOneLine(t *testing.T) {
	f := Long(40)
	for i := range f.Timelines.Minimal.Steps {
		f.Timelines.Minimal.Steps[i].Line = 100 + i/2%7
	}
	tab := opened(t, start(t), written(t, f), View{})
	folds := eval[int](t, tab, `document.querySelectorAll('.row.fold').length`)
	want(t, tab, `document.querySelector('.row.fold .src1').textContent`, "n := w.open.Load() // 100")
	want(t, tab, unmarked, 0)
	must(t, tab.Click(`.row.fold`))
	want(t, tab, `document.querySelectorAll('.row.fold').length`, folds-1)
}
