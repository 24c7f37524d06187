package suite

import (
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rouse-go/rouse/chaos/explain"
)

// TestNameObjects: objects have the names that the sources give them, at their declaration where that is
// known.
func TestNameObjects(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"go.mod": "module a\n",
		"q.go": `package q

import "sync"

type Q struct {
	mu   sync.Mutex
	full sync.Cond
}

type other struct{ full bool }

func (q *Q) Put(out chan<- int, in <-chan int, done chan struct{}) {
	q.mu.Lock()
	q.full.Wait()
	out <- <-in
	close(done)
	for range in {
	}
	use(
		q,
		&q.mu,
	)
	(&sync.Mutex{}).Lock()
	n.CompareAndSwap(1, 2)
	q.rw.TryRLock()
	channel.Send(out, 1)
	which().full.Wait()
	o := &other{}
	o.full.Wait()
	atomic.AddInt64(&q.hits, 1)
	atomic.LoadUint32(
		&words[0])
	atomic.StorePointer(p, nil)
	atomic.AddInt64(&a, atomic.AddInt64(&b, 1))
	atomic.AddInt64(&c, atomic.LoadInt64(&b))
	local := &q.hits
	local.Load()
}
`, "broken.go": "package q\n\nfunc (",
	})
	file := filepath.Join(dir, "q.go")
	row := func(object int, text, file string, line int) explain.Row {
		return explain.Row{Text: text, Objects: []int{object}, File: file, Line: line}
	}
	p := &explain.Page{Table: &explain.Table{Rows: []explain.Row{
		row(1, "sync.(*Mutex).Lock", file, 13),
		row(2, "sync.(*Cond).Wait", file, 14),
		row(3, "send", file, 15),
		row(4, "receive", file, 15),
		row(5, "close", file, 16),
		row(6, "receive", file, 17),
		row(7, "sync.(*Mutex).Unlock", file, 13),
		row(8, "sync.(*Mutex).Lock", file, 99),
		row(9, "sync.(*Mutex).Lock", filepath.Join(dir, "broken.go"), 3),
		row(10, "sync.(*Mutex).Lock", filepath.Join(dir, "none.go"), 3),
		row(11, "errgroup.WithContext", file, 14),
		row(12, "sync/cond-wait", file, 14),
		row(13, "atomic/cas", file, 24),
		row(14, "sync/rwmutex-try-rlock", file, 25),
		row(15, "channel/send", file, 26),
		row(16, "sync/mutex-unlock", file, 14),
		row(17, "sync.(*Cond).Wait", file, 27),
		row(18, "sync.(*Cond).Wait", file, 29),
		row(19, "atomic.AddInt64", file, 30),
		row(20, "atomic.LoadUint32", file, 32),
		row(21, "atomic/store", file, 33),
		row(22, "atomic.AddInt64", file, 34), // which of two is unknown
		row(23, "atomic.AddInt64", file, 35),
		row(24, "atomic/load", file, 35),
		row(25, "atomic.(*Int64).Load", file, 37),
		{Text: "begin"},
	}}}
	nameObjects(p)
	want := map[int]string{
		1: "q.mu (q.go:6)", 2: "q.full (q.go:7)", 3: "out (q.go:12)", 4: "in (q.go:12)", 5: "done (q.go:12)", 6: "in #2 (q.go:12)",
		12: "q.full #2 (q.go:7)", 13: "n (q.go:24)", 14: "q.rw (q.go:25)", 15: "out #2 (q.go:12)",
		17: "which().full (q.go:27)", 18: "o.full (q.go:10)",
		19: "q.hits (q.go:30)", 20: "words[0] (q.go:32)", 21: "p (q.go:33)", 23: "c (q.go:35)", 24: "b (q.go:35)", 25: "local (q.go:36)",
	}
	if !maps.Equal(p.Objects, want) {
		t.Errorf("got %v, want %v", p.Objects, want)
	}
	nameObjects(&explain.Page{})
}

// TestOwnRows: the table is about the user's objects, and says Done of what WaitGroup.Go does at the end.
func TestOwnRows(t *testing.T) {
	row := func(object int, text, file string) explain.Row {
		return explain.Row{Text: text, Objects: []int{object}, File: file}
	}
	kept := row(4, "atomic.LoadUint32", "")
	kept.Kept = true
	table := &explain.Table{Rows: []explain.Row{
		row(1, "atomic.StoreUint32", ""),
		row(2, "atomic.(*Int64).Load", "q.go"),
		row(2, "atomic.LoadInt64", ""),
		row(3, "sync.(*WaitGroup).Go", "q.go"),
		row(3, "sync.(*WaitGroup).Add", ""),
		kept,
		{Text: "end"},
	}}
	ownRows(table)
	var got []string
	for _, r := range table.Rows {
		got = append(got, r.Text)
	}
	want := []string{"atomic.(*Int64).Load", "atomic.LoadInt64", "sync.(*WaitGroup).Go", "sync.(*WaitGroup).Done", "atomic.LoadUint32", "end"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	ownRows(nil)
}

// TestDropNumbers: of objects without a name those have a number that something else in the report refers to.
func TestDropNumbers(t *testing.T) {
	row := func(objects ...int) explain.Row { return explain.Row{Text: "net/http.Get", Objects: objects} }
	p := &explain.Page{
		Table: &explain.Table{Rows: []explain.Row{row(1), row(2, 3), row(3, 4), row(5), row(6), row(7)}},
		Why:   []string{"locks         main has [5]"}, Left: []explain.Left{{Object: 6, Others: []int{7}}}, Objects: map[int]string{1: "c (c.go:1)"},
	}
	dropNumbers(p)
	for i, want := range [][]int{{1}, {3}, {3}, {5}, {6}, {7}} {
		if got := p.Table.Rows[i].Objects; !slices.Equal(got, want) {
			t.Errorf("row %d has %v, want %v", i, got, want)
		}
	}
}
