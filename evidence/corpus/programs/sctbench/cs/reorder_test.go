package cs

import (
	"sync"
	"sync/atomic"
	"testing"
)

// reorder has setters, which write a pair one after the other, and checkers, which fail if they see
// half of it. The pair may have a lock.
func reorder(t *testing.T, setters, checkers int, locker sync.Locker) {
	var a, b atomic.Int32
	set := func() {
		locker.Lock()
		defer locker.Unlock()
		a.Store(1)
		b.Store(-1)
	}
	check := func() {
		locker.Lock()
		defer locker.Unlock()
		if x, y := a.Load(), b.Load(); !(x == 0 && y == 0 || x == 1 && y == -1) {
			t.Errorf("the pair is %d and %d", x, y)
		}
	}
	together(append(times(setters, set), times(checkers, check)...)...)
}

type unlocked struct{}

func (unlocked) Lock()   {}
func (unlocked) Unlock() {}

func TestReorder3(t *testing.T)  { reorder(t, 2, 1, unlocked{}) }
func TestReorder4(t *testing.T)  { reorder(t, 3, 1, unlocked{}) }
func TestReorder5(t *testing.T)  { reorder(t, 4, 1, unlocked{}) }
func TestReorder10(t *testing.T) { reorder(t, 9, 1, unlocked{}) }
func TestReorder20(t *testing.T) { reorder(t, 10, 10, unlocked{}) }

// TestReorder20Checker and TestReorder100 have one checker, as those have that figures are
// published of.
func TestReorder20Checker(t *testing.T) { reorder(t, 19, 1, unlocked{}) }
func TestReorder100(t *testing.T)       { reorder(t, 99, 1, unlocked{}) }

func TestReorder3Fixed(t *testing.T)         { reorder(t, 2, 1, new(sync.Mutex)) }
func TestReorder4Fixed(t *testing.T)         { reorder(t, 3, 1, new(sync.Mutex)) }
func TestReorder5Fixed(t *testing.T)         { reorder(t, 4, 1, new(sync.Mutex)) }
func TestReorder10Fixed(t *testing.T)        { reorder(t, 9, 1, new(sync.Mutex)) }
func TestReorder20Fixed(t *testing.T)        { reorder(t, 10, 10, new(sync.Mutex)) }
func TestReorder20CheckerFixed(t *testing.T) { reorder(t, 19, 1, new(sync.Mutex)) }
func TestReorder100Fixed(t *testing.T)       { reorder(t, 99, 1, new(sync.Mutex)) }
