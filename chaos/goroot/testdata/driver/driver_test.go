// Package driver is what the tests of package goroot run under the driver.
package driver

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// mains counts the calls of m.Run's caller, which TestMain is.
var mains int

func TestMain(m *testing.M) {
	mains++
	code := m.Run()
	if again := m.Run(); again != code {
		code = 3
	}
	fmt.Fprintln(os.Stderr, "TestMain is done:", mains)
	os.Exit(code)
}

func TestEnvironment(t *testing.T) {
	if v, ok := os.LookupEnv("ROUSE_WORKER"); ok || mains != 1 {
		t.Errorf("ROUSE_WORKER is %q, and TestMain has run %d times", v, mains)
	}
	for fd := 3; fd <= 5; fd++ {
		if inherited(fd) {
			t.Errorf("file %d is inherited by processes that tests start", fd)
		}
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var now []string
	for _, name := range []string{"a", "a", "b"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if now := running.Add(1); now > 2 {
				t.Errorf("%d tests run at a time", now)
			}
			defer running.Add(-1)
			runtime.Gosched()
			mu.Lock()
			defer mu.Unlock()
			now = append(now, t.Name())
		})
	}
	t.Cleanup(func() {
		if len(now) != 3 {
			t.Errorf("the subtests %q have run before the cleanup", now)
		}
		for _, n := range now {
			if n != "TestNames/a" && n != "TestNames/a#01" && n != "TestNames/b" {
				t.Errorf("a subtest is called %s", n)
			}
		}
	})
}

var running atomic.Int32 // subtests of TestNames

// leaves are what an execution that never ends has left behind.
var leaves struct{ dir, temp string }

// TestLeaves is stuck in every execution, having changed the process.
func TestLeaves(t *testing.T) {
	here, _ := os.Getwd()
	if os.Getenv("LEFT") != "" || leaves.dir != "" && here != leaves.dir {
		panic("the environment or the folder of an earlier execution is left")
	}
	if leaves.temp != "" {
		if _, err := os.Stat(leaves.temp); err == nil {
			panic("the temporary folder of an earlier execution is left")
		}
	}
	leaves.dir, leaves.temp = here, t.TempDir()
	t.Setenv("LEFT", "x")
	t.Chdir(leaves.temp)
	t.Log("about to be stuck")
	t.Run("inner", func(t *testing.T) {
		t.Log("stuck")
		select {}
	})
}

func TestMisc(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "x"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	done := make(chan bool)
	go func() { <-ctx.Done(); close(done) }()
	t.Cleanup(func() { <-done })
}

// TestDeadline has one in ten minutes, as under go test, and sleeps beyond it if that takes no time.
func TestDeadline(t *testing.T) {
	check := func(t *testing.T) {
		deadline, ok := t.Deadline()
		if left := time.Until(deadline); !ok || left < 9*time.Minute || left > 10*time.Minute {
			t.Error("the deadline is in", left, ok)
		}
	}
	check(t)
	t.Run("sub", check)
	if os.Getenv("REAL") == "" {
		time.Sleep(time.Hour)
	}
}

// TestTemp leaves a temporary folder behind, and the execution that is repeated finds it.
func TestTemp(t *testing.T) {
	if _, err := os.MkdirTemp("", "left"); err != nil {
		t.Fatal(err)
	}
	locks()
}

// TestTempFile is TestTemp with a file.
func TestTempFile(t *testing.T) {
	f, err := os.CreateTemp("", "left")
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	locks()
}

// locks locks and unlocks so many times as chance will have it.
func locks() {
	var mu sync.Mutex
	for range rand.IntN(20) {
		mu.Lock()
		mu.Unlock() //nolint:staticcheck // an empty section
	}
}

// TestAsleep leaves nothing that could continue.
func TestAsleep(*testing.T) { select {} }

func TestSkips(t *testing.T) { t.Skip("not here") }

func TestPrints(t *testing.T) {
	for i := range 3 {
		t.Log("line", i)
	}
	if testing.Verbose() {
		t.Log("verbose")
	}
}

// TestLost fails in some schedules.
func TestLost(t *testing.T) {
	var mu sync.Mutex
	n := 0
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			mu.Lock()
			v := n
			mu.Unlock()
			mu.Lock()
			n = v + 1
			mu.Unlock()
		})
	}
	wg.Wait()
	t.Log("before")
	if n != 2 {
		t.Errorf("lost: n is %d", n)
		t.Error("and more")
	}
}

// TestFileLocks takes the locks of two files in both orders.
func TestFileLocks(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	for _, names := range [][]string{{"a", "b"}, {"b", "a"}} {
		wg.Go(func() {
			for _, name := range names {
				f, err := os.Create(filepath.Join(dir, name))
				if err != nil {
					t.Error(err)
					return
				}
				defer f.Close()
				syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
			}
		})
	}
	wg.Wait()
}

// TestWrites fails when a goroutine that has no line of the test has made a system call.
func TestWrites(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "x"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	go f.Write([]byte("x"))
	time.Sleep(time.Second)
	t.Error("written")
}

func TestExits(t *testing.T) {
	go syscall.Exit(7) // which the patches leave alone
	time.Sleep(time.Hour)
}

func TestExitsWith0(t *testing.T) { os.Exit(0) }

func TestExitsWith7(t *testing.T) {
	go os.Exit(7)
	time.Sleep(time.Hour)
}

func TestRaces(t *testing.T) {
	n := 0
	done := make(chan bool)
	go func() { n++; close(done) }()
	n++
	<-done
	if n > 2 {
		t.Error(n)
	}
}

// executions counts those of TestUncontrolled.
var executions int

// TestUncontrolled does something else in each execution.
func TestUncontrolled(t *testing.T) {
	executions++
	var mu sync.Mutex
	for range executions % 5 {
		mu.Lock()
		mu.Unlock() //nolint:staticcheck // an empty section
	}
}

// TestAddresses depends on addresses.
func TestAddresses(t *testing.T) {
	all := map[*int]int{}
	for i := range 30 {
		all[&[]int{i, executions}[0]] = i
	}
	executions++
	grown = append(grown, make([]byte, 100*executions))
	var mu sync.Mutex
	for _, i := range all {
		if i == 0 {
			break
		}
		mu.Lock()
		mu.Unlock() //nolint:staticcheck // an empty section
	}
}

var grown [][]byte // moves what is allocated next

// TestLeaks leaves a goroutine behind.
func TestLeaks(t *testing.T) {
	c := make(chan int)
	go func() { c <- 1 }()
}

func TestOverflows(t *testing.T) {
	if deep(0) == 0 {
		t.Error("returned")
	}
}

func deep(n int) int { return deep(n+1) + len(t0[n%3:]) }

var t0 [3]byte

// TestImpatient fails when a timer fires early.
func TestImpatient(t *testing.T) { impatient(t, time.Second) }

// TestHasty fails on a machine that keeps a goroutine waiting for less than half a millisecond.
func TestHasty(t *testing.T) { impatient(t, 400*time.Microsecond) }

func impatient(t *testing.T, d time.Duration) {
	done := make(chan bool, 1)
	go func() { done <- true }()
	time.Sleep(d)
	select {
	case <-done:
	default:
		t.Error("not done after", d)
	}
}

func BenchmarkNothing(b *testing.B) {}

// FuzzLost fails in some schedules of its second seed only.
func FuzzLost(f *testing.F) {
	f.Add(1)
	f.Add(2)
	f.Fuzz(func(t *testing.T, adders int) {
		t.Parallel()
		var mu sync.Mutex
		n := 0
		var wg sync.WaitGroup
		for range adders {
			wg.Go(func() {
				mu.Lock()
				v := n
				mu.Unlock()
				mu.Lock()
				n = v + 1
				mu.Unlock()
			})
		}
		if wg.Wait(); n != adders {
			t.Errorf("lost: n is %d", n)
		}
	})
}

// FuzzFile has a seed in testdata.
func FuzzFile(f *testing.F) {
	seeds := 0
	f.Cleanup(func() {
		if seeds != 2 {
			f.Errorf("%d seeds", seeds)
		}
	})
	f.Add("added")
	f.Fuzz(func(t *testing.T, seed string) {
		if seeds++; seed != "added" && seed != "of a file" {
			t.Errorf("%s: the seed is %q", t.Name(), seed)
		}
	})
}

func FuzzSkips(f *testing.F) { f.Skip("not here") }

func FuzzForgets(*testing.F) {}

// Example_races prints in an order that depends on the schedule.
func Example_races() {
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() { fmt.Println("line", i) })
	}
	wg.Wait()
	// Output:
	// line 1
	// line 0
}

func Example_unordered() {
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() { fmt.Println("line", i) })
	}
	wg.Wait()
	// Unordered output:
	// line 1
	// line 0
}

// Example_stuck leaves os.Stdout to the next execution.
func Example_stuck() {
	fmt.Println("before")
	select {}
	// Output:
}

func Example_exits() {
	runtime.Goexit()
	// Output:
}

func Example() {
	fmt.Println(strings.ToUpper("x"))
	// Output: X
}
