package suite

import (
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/explain"
)

// TestRows: the rows of selects, pools and timers say which case, which item and which timer. Those of the text are the
// steps of the page, by the same numbers, and each number of an object has a name.
func TestRows(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"go.mod": "module example.com/rows\n\ngo 1.25\n",
		"rows_test.go": `package rows

import (
	"context"
	"sync"
	"testing"
	"time"
)

func TestTakes(t *testing.T) {
	news, quit := make(chan int, 1), make(chan bool)
	news <- 1
	select {
	case <-news:
	case <-quit:
	}
	select {
	case <-quit:
	case news <- 1:
	}
	close(quit)
	select {
	case <-quit:
	default:
	}
	t.Fatal("end")
}

func TestWaits(t *testing.T) {
	var none chan int
	a, b, c, d, e := make(chan int), make(chan int), make(chan int), make(chan int), make(chan int)
	go func() { <-c }()
	select {
	case <-a:
	case b <- 1:
	case c <- 1:
	case <-d:
	case <-e:
	}
	select {
	case <-a:
	case b <- 1:
	default:
	}
	select {
	case <-none:
	case <-c:
	default:
	}
	t.Fatal("end")
}

func TestPool(t *testing.T) {
	pool := sync.Pool{New: func() any { return new(int) }}
	other := new(sync.Pool)
	x := pool.Get()
	pool.Put(x)
	other.Put(x)
	other.Get()
	other.Put(x)
	pool.Get()
	other.Get()
	pool.Get()
	other.Put(x)
	pool.Get()
	t.Fatal("end")
}

func TestTimers(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	fired := make(chan bool)
	timer := time.AfterFunc(time.Hour, func() { fired <- true })
	timer.Reset(time.Second)
	<-fired
	time.Sleep(time.Second)
	fired = nil
	time.Sleep(time.Second)
	<-ctx.Done()
	t.Fatal("end")
}

func TestReceives(t *testing.T) {
	news, quit := make(chan int), make(chan bool)
	go close(news)
	select {
	case <-news:
	case <-quit:
	}
	t.Fatal("end")
}
`})
	for _, test := range []struct {
		name string
		want []string
		not  []string
	}{
		{"TestTakes", []string{
			"select receives [1] rows_test.go:14", "select sends [1] rows_test.go:19", "select receives [2] rows_test.go:23",
			"[1] news (rows_test.go:11), [2] quit (rows_test.go:11)",
		}, nil},
		{"TestWaits", []string{
			"select [1] [2] [5] and 2 more rows_test.go:33 (waits)", "select sends [2] rows_test.go:36", "receive [2] rows_test.go:32",
			"select [1] [5] rows_test.go:40 (takes the default)", "select [2] rows_test.go:45 (takes the default)",
			"[1] b (rows_test.go:31), [2] c (rows_test.go:31), [5] a (rows_test.go:31)",
		}, nil},
		{"TestPool", []string{
			"sync.(*Pool).Get [1] rows_test.go:56 (empty)", "sync.(*Pool).Put [1] rows_test.go:57", "... 2 more", "sync.(*Pool).Put [2] rows_test.go:60",
			"sync.(*Pool).Get [1] rows_test.go:61 (put at step 1)", "sync.(*Pool).Get [2] rows_test.go:62 (put at step 1)", "[1] pool (rows_test.go:54), [2] other (rows_test.go:55)",
		}, nil},
		{"TestTimers", []string{
			"timer of time.(*Timer).Reset at rows_test.go:74 fires (armed by main)", "timer of time.Sleep at rows_test.go:76 fires (armed by main)",
			"timer of context.WithTimeout at rows_test.go:70 fires (armed by main)", "time.Sleep rows_test.go:76 (waits)",
		}, []string{"time.Sleep ["}},
		{"TestReceives", []string{
			"select [2] [1] rows_test.go:86 (waits)", "select receives [2] rows_test.go:87", "[1] quit (rows_test.go:84), [2] news (rows_test.go:84)",
		}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := real(t, dir)
			o.Run = "^" + test.name + "$"
			r := drawn(t, o)
			if r.Timelines == nil {
				t.Fatalf("%+v", r)
			}
			text := r.Page.Text(0)
			for _, want := range test.want {
				if !strings.Contains(text, want) {
					t.Errorf("no %q in\n%s", want, text)
				}
			}
			for _, not := range test.not {
				if strings.Contains(text, not) {
					t.Errorf("%q in\n%s", not, text)
				}
			}
			for _, row := range r.Page.Table.Rows {
				of := func(s explain.Step) bool {
					return s.Step == row.Step && s.Text == row.Text && s.Line == row.Line && r.Timelines.Minimal.Lanes[s.Lane].Task == row.Task
				}
				if !strings.HasPrefix(row.Text, "... ") && !slices.ContainsFunc(r.Timelines.Minimal.Steps, of) {
					t.Errorf("no step is the row %+v", row)
				}
			}
		})
	}
}
