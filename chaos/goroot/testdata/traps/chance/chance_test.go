// Package chance draws at random in all the ways there are. Its schedules depend on what is drawn, so
// they repeat in another process only if that repeats.
package chance

import (
	"context"
	crand "crypto/rand"
	"fmt"
	"hash/maphash"
	"math/big"
	"math/rand"
	randv2 "math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"unique"
)

var (
	drawn  = randv2.IntN(16)
	old    = rand.Intn(16)
	seed   = maphash.MakeSeed()
	source = rand.Int63()
	table  = map[string]int{}
	bytes  [4]byte
)

func init() {
	crand.Read(bytes[:])
	for i := range 100 {
		table[fmt.Sprint("key", i)] = i
	}
}

// steps makes the schedule depend on n.
func steps(n int) {
	for range n % 16 {
		runtime.Gosched()
	}
}

func first[K comparable, V any](m map[K]V) (k K) {
	for k = range m {
		break
	}
	return k
}

func TestInit(t *testing.T) {
	steps(drawn)
	steps(old)
	steps(int(maphash.String(seed, "x")))
	steps(rand.New(rand.NewSource(source)).Intn(16))
	steps(int(bytes[0]))
}

func TestDraws(t *testing.T) {
	steps(randv2.IntN(16))
	steps(rand.Intn(16))
	steps(int(maphash.String(maphash.MakeSeed(), "x")))
	var b [8]byte
	crand.Read(b[:])
	steps(int(b[7]))
	n, err := crand.Int(crand.Reader, big.NewInt(1000))
	if err != nil {
		t.Fatal(err)
	}
	steps(int(n.Int64()))
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	steps(len(filepath.Base(dir)))
}

func TestMaps(t *testing.T) {
	steps(table[first(table)])
	m := map[int]int{}
	for i := range 100 {
		m[i] = i
	}
	steps(first(m))
	small := map[*int]int{}
	for i := range 8 {
		small[new(int)] = i
	}
	steps(small[first(small)])
	var sm sync.Map
	for i := range 20 {
		sm.Store(fmt.Sprint(i), i)
	}
	sm.Range(func(k, v any) bool { steps(v.(int)); return false })
	clear(m)
	m[1], m[2] = 1, 2
	steps(first(m))
}

func TestSelect(t *testing.T) {
	a, b := make(chan int, 4), make(chan int, 4)
	for i := range 4 {
		a <- i
		b <- i + 4
	}
	for range 8 {
		select {
		case v := <-a:
			steps(v)
		case v := <-b:
			steps(v)
		}
	}
}

// Each case that is ready may be chosen.
func TestFoundFirst(t *testing.T)  { chosen(t, 1) }
func TestFoundSecond(t *testing.T) { chosen(t, 2) }

func chosen(t *testing.T, which int) {
	a, b := make(chan int, 1), make(chan int, 1)
	a <- 1
	b <- 2
	got := 0
	select {
	case got = <-a:
	case got = <-b:
	}
	if got == which {
		t.Error("chosen")
	}
}

// What fails by the order of a map that an earlier execution has made or emptied fails again in another
// process, whose first execution makes it: the order is that of the map and of this execution.
var (
	grown, sized     map[int]int
	deleted, cleared map[int]int
	stored           *sync.Map
)

// odd fails for few keys.
func odd(t *testing.T, key int) {
	if key == 7 || key == 11 {
		t.Error(key)
	}
}

func fill(m map[int]int) map[int]int {
	for i := range 20 {
		m[i] = i
	}
	return m
}

func TestFoundInGrownMap(t *testing.T) {
	if grown == nil {
		grown = fill(map[int]int{})
	}
	odd(t, first(grown))
}

func TestFoundInSizedMap(t *testing.T) {
	if sized == nil {
		sized = fill(make(map[int]int, 100))
	}
	odd(t, first(sized))
}

func TestFoundInDeletedMap(t *testing.T) {
	if deleted == nil {
		m := fill(map[int]int{})
		for i := range 20 {
			delete(m, i)
		}
		deleted = fill(m)
	}
	odd(t, first(deleted))
}

func TestFoundInClearedMap(t *testing.T) {
	if cleared == nil {
		m := fill(map[int]int{})
		clear(m)
		cleared = fill(m)
	}
	odd(t, first(cleared))
}

func TestFoundInSyncMap(t *testing.T) {
	if stored == nil {
		stored = new(sync.Map)
		for i := range 20 {
			stored.Store(i, i)
		}
	}
	stored.Range(func(k, _ any) bool { odd(t, k.(int)); return randv2.IntN(8) > 0 })
}

// Each order of the keys, and no key twice or not at all.
func TestFoundRangeOrder(t *testing.T) {
	var m sync.Map
	for _, k := range []string{"a", "b", "c"} {
		m.Store(k, k)
	}
	var order string
	m.Range(func(k, _ any) bool { order += k.(string); return true })
	if order == "cab" {
		t.Error(order)
	}
}

func TestRange(t *testing.T) {
	var m sync.Map
	for i := range 1000 {
		m.Store(i, i)
	}
	for most := range 3 {
		seen := map[int]bool{}
		m.Range(func(k, v any) bool {
			if seen[k.(int)] || k != v {
				t.Error(k, v)
			}
			seen[k.(int)] = true
			m.Delete(1000 - k.(int)) // not met after this
			return most == 0 || len(seen) < most
		})
		if want := []int{0, 1, 2}[most]; most > 0 && len(seen) != want || most == 0 && (len(seen) < 500 || !seen[0]) {
			t.Error(most, len(seen))
		}
	}
}

// The number of processors is that of no machine in particular.
func TestProcessors(t *testing.T) {
	if n, most := runtime.NumCPU(), runtime.GOMAXPROCS(0); n != 4 || most != 4 {
		t.Error(n, most)
	}
	if was, now := runtime.GOMAXPROCS(1), runtime.GOMAXPROCS(0); was != 4 || now != 1 { // it is 4 again in the next execution
		t.Error(was, now)
	}
}

// The children of a context are cancelled in the order in which they came.
func TestContexts(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	var order []int
	for i := range 20 {
		context.AfterFunc(ctx, func() { order = append(order, i) })
		child, cancel := context.WithCancel(ctx)
		context.AfterFunc(child, func() { steps(i) })
		defer cancel()
	}
	cancel()
}

var (
	handles []unique.Handle[int] // so that they are not collected
	uses    int                  // executions of TestHandles
)

// One execution in two makes a handle, and the next one finds it.
func TestHandles(t *testing.T) {
	uses++
	go runtime.Gosched()
	handles = append(handles, unique.Make(uses/2))
}

// It is seeded by chance, outside of executions.
var (
	own  = rand.New(rand.NewSource(rand.Int63()))
	lock sync.Mutex
	was  int64 // what the first execution of the process has drawn
)

// Each execution draws the same from it as the first one.
func TestSource(t *testing.T) {
	draw := func() int64 {
		lock.Lock()
		defer lock.Unlock()
		return own.Int63()
	}
	is := draw()
	if was == 0 {
		was = is
	}
	if is != was || draw() == is {
		t.Error(is, "is drawn, and not", was)
	}
	own.Seed(1)
	steps(int(is))
	steps(rand.New(own).Intn(16))
}

var reseeded = rand.New(rand.NewSource(rand.Int63()))

// What one execution has seeded, another finds as it was.
func TestSourceSeeded(t *testing.T) {
	var mu sync.Mutex
	seeded := false
	done := make(chan bool)
	go func() {
		mu.Lock()
		reseeded.Seed(1)
		seeded = true
		mu.Unlock()
		close(done)
	}()
	mu.Lock()
	if is := reseeded.Int63(); (is == rand.New(rand.NewSource(1)).Int63()) != seeded {
		t.Error(is, "is drawn, seeded:", seeded)
	}
	mu.Unlock()
	<-done
}
