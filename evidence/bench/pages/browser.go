package pages

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// patience bounds the operations on a page, so that a hanging page is an error. It measures nothing.
const patience = 2 * time.Minute

// A Browser is a headless Chromium with a profile of its own.
type Browser struct {
	ctx    context.Context
	cancel []func()
}

// Start starts the installed Chromium or Chrome. If neither is installed, the error is exec.ErrNotFound. The
// caller must call Close.
func Start(ctx context.Context) (*Browser, error) {
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.NoSandbox) // to run as root
	allocator, end := chromedp.NewExecAllocator(ctx, options...)
	browser, cancel := chromedp.NewContext(allocator)
	b := &Browser{browser, []func(){cancel, end}}
	if err := chromedp.Do(browser); err != nil {
		b.Close()
		return nil, fmt.Errorf("the browser: %w", err)
	}
	return b, nil
}

// Close ends the browser.
func (b *Browser) Close() {
	for _, cancel := range b.cancel {
		cancel()
	}
}

// A View describes how a page is shown.
type View struct {
	Width, Height int64 // in CSS pixels; 0 is 1280 x 900
	Dark          bool
}

// A Tab is an open page. Its methods must not be called concurrently.
type Tab struct {
	ctx    context.Context
	cancel []func()

	mu                 sync.Mutex
	requests, problems []string
}

// Open opens an HTML file, and returns when it has been loaded. The caller must call Close.
func (b *Browser) Open(file string, v View) (*Tab, error) {
	if v.Width == 0 {
		v.Width, v.Height = 1280, 900
	}
	name, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	own, closeTab := chromedp.NewContext(b.ctx)
	t := &Tab{ctx: own, cancel: []func(){closeTab}}
	if err = t.open((&url.URL{Scheme: "file", Path: filepath.ToSlash(name)}).String(), v); err != nil {
		t.Close()
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return t, nil
}

func (t *Tab) open(address string, v View) error {
	if err := chromedp.Do(t.ctx); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(t.ctx, patience)
	t.ctx, t.cancel = ctx, append(t.cancel, cancel)
	if err := chromedp.Listen(ctx, func(e any) { t.notes(e, address) }); err != nil {
		return err
	}
	return chromedp.Do(ctx, chromedp.EmulateViewport(v.Width, v.Height), chromedp.Func(func(ctx context.Context, to *chromedp.Target) error {
		colours := "light"
		if v.Dark {
			colours = "dark"
		}
		if _, err := cdp.Call(ctx, to, network.Enable, network.EnableParams{}); err != nil {
			return err
		}
		_, err := cdp.Call(ctx, to, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: colours}},
		})
		return err
	}), chromedp.Navigate(address))
}

// notes notes requests for anything but the page, and uncaught exceptions of its script.
func (t *Tab) notes(e any, address string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch e := e.(type) {
	case *network.EventRequestWillBeSent:
		if e.Request.URL != address {
			t.requests = append(t.requests, e.Request.URL)
		}
	case *runtime.EventExceptionThrown:
		t.problems = append(t.problems, (&chromedp.ExceptionError{ExceptionDetails: e.ExceptionDetails}).Error())
	}
}

// Close closes the page.
func (t *Tab) Close() {
	for _, cancel := range slices.Backward(t.cancel) {
		cancel()
	}
}

// Requests returns the addresses that the page has requested, except its own.
func (t *Tab) Requests() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.requests)
}

// Problems returns the uncaught exceptions of the page's script.
func (t *Tab) Problems() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.problems)
}

// Press presses and releases a key, such as kb.ArrowRight.
func (t *Tab) Press(key string) error { return chromedp.Do(t.ctx, chromedp.KeyEvent(key)) }

// Click clicks the first element that a selector of CSS selects.
func (t *Tab) Click(selector string) error {
	return chromedp.Do(t.ctx, chromedp.Click(chromedp.CSS(selector)))
}

// Picture returns the visible part of the page, or the whole page, as PNG.
func (t *Tab) Picture(whole bool) (png []byte, err error) {
	if whole {
		return chromedp.Run(t.ctx, chromedp.FullScreenshot(100))
	}
	return chromedp.Run(t.ctx, chromedp.CaptureScreenshot())
}

// Print returns the page as PDF, on A4.
func (t *Tab) Print() (pdf []byte, err error) {
	return chromedp.Run(t.ctx, chromedp.PrintToPDF(chromedp.PDFPaper(chromedp.PaperA4), chromedp.PDFPrintBackground()))
}

// Eval evaluates JavaScript in the page, and waits for its promise.
func Eval[T any](t *Tab, script string) (T, error) {
	v, err := chromedp.Run(t.ctx, chromedp.Evaluate[T](script, chromedp.EvalAwaitPromise))
	if err != nil {
		err = fmt.Errorf("%.80s: %w", script, err)
	}
	return v, err
}
