package pages

import (
	"fmt"
	"os"
)

// A Figure holds the costs of a page.
type Figure struct {
	Name    string
	Steps   int
	Bytes   int64
	Paint   float64 // first contentful paint, in milliseconds since the page was asked for
	Ready   float64 // the end of its load event, by when the script has drawn it
	Slider  float64 // 100 steps of the slider, a frame for each
	Slowest float64 // of these steps
}

// slides moves the slider by 100 steps of equal length through the execution, and waits for the frame of each.
const slides = `(async () => {
	const slider = document.querySelector('input[type=range]'), frame = () => new Promise(f => requestAnimationFrame(() => { document.body.offsetHeight; f(); }));
	await frame();
	let slowest = 0;
	const begin = performance.now();
	for (let i = 1; i <= 100; i++) {
		const from = performance.now();
		slider.value = Math.round(slider.max * i / 100);
		slider.dispatchEvent(new Event('input'));
		await frame();
		slowest = Math.max(slowest, performance.now() - from);
	}
	return [performance.now() - begin, slowest];
})()`

// Measure opens a page and measures it. The times depend on the machine, and on what else it does.
func Measure(b *Browser, name, file string) (f Figure, err error) {
	info, err := os.Stat(file)
	if err != nil {
		return f, err
	}
	f = Figure{Name: name, Bytes: info.Size()}
	t, err := b.Open(file, View{})
	if err != nil {
		return f, err
	}
	defer t.Close()
	times, err := Eval[[]float64](t, `(async () => {
		const painted = () => performance.getEntriesByName('first-contentful-paint')[0];
		while (!painted()) await new Promise(f => requestAnimationFrame(f));
		return [painted().startTime, performance.getEntriesByType('navigation')[0].loadEventEnd, 1 + +document.querySelector('input[type=range]').max];
	})()`)
	if err != nil {
		return f, err
	}
	f.Paint, f.Ready, f.Steps = times[0], times[1], int(times[2])
	slid, err := Eval[[]float64](t, slides)
	if err != nil {
		return f, err
	}
	f.Slider, f.Slowest = slid[0], slid[1]
	return f, nil
}

// Row returns a row of the table with the header Head.
func (f *Figure) Row() string {
	return fmt.Sprintf("| %s | %d | %.0f kB | %.0f ms | %.0f ms | %.1f s | %.0f ms |", f.Name, f.Steps, float64(f.Bytes)/1000, f.Paint, f.Ready, f.Slider/1000, f.Slowest)
}

// Head is the header of a table of figures, in Markdown.
const Head = `| page | steps | size | first paint | ready | 100 slider steps | the slowest |
|---|---|---|---|---|---|---|`
