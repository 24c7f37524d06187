package cs

import (
	"sync"
	"testing"
)

// dine seats n philosophers. Each takes both forks, while no other reaches for one, and
// counts itself when it has eaten. No more than most may have eaten.
func dine(t *testing.T, n, most int) {
	forks := make([]sync.Mutex, n)
	var reaching, counting sync.Mutex
	eaten := 0
	var fs []func()
	for i := range n {
		fs = append(fs, func() {
			left, right := &forks[i], &forks[(i+1)%n]
			reaching.Lock()
			right.Lock()
			left.Lock()
			left.Unlock()
			right.Unlock()
			reaching.Unlock()
			counting.Lock()
			defer counting.Unlock()
			if eaten++; eaten > most {
				t.Errorf("%d have eaten", eaten)
			}
		})
	}
	together(fs...)
}

// The bug of these programs is their claim that not all can eat. It is wrong under any schedule.

func TestDinPhil2(t *testing.T) { dine(t, 2, 1) }
func TestDinPhil3(t *testing.T) { dine(t, 3, 2) }
func TestDinPhil4(t *testing.T) { dine(t, 4, 3) }
func TestDinPhil5(t *testing.T) { dine(t, 5, 4) }
func TestDinPhil6(t *testing.T) { dine(t, 6, 5) }
func TestDinPhil7(t *testing.T) { dine(t, 7, 6) }

func TestDinPhil2Fixed(t *testing.T) { dine(t, 2, 2) }
func TestDinPhil3Fixed(t *testing.T) { dine(t, 3, 3) }
func TestDinPhil4Fixed(t *testing.T) { dine(t, 4, 4) }
func TestDinPhil5Fixed(t *testing.T) { dine(t, 5, 5) }
func TestDinPhil6Fixed(t *testing.T) { dine(t, 6, 6) }
func TestDinPhil7Fixed(t *testing.T) { dine(t, 7, 7) }

// reach is the classic: each philosopher takes the right fork and then the left one. inOrder takes
// the fork of the lower number first.
func reach(n int, inOrder bool) {
	forks := make([]sync.Mutex, n)
	var fs []func()
	for i := range n {
		first, second := (i+1)%n, i
		if inOrder && second < first {
			first, second = second, first
		}
		fs = append(fs, func() { under(&forks[first], &forks[second], func() {}) })
	}
	together(fs...)
}

func TestPhilosophers3(t *testing.T) { reach(3, false) }
func TestPhilosophers5(t *testing.T) { reach(5, false) }
func TestPhilosophers7(t *testing.T) { reach(7, false) }

func TestPhilosophers3Fixed(t *testing.T) { reach(3, true) }
func TestPhilosophers5Fixed(t *testing.T) { reach(5, true) }
func TestPhilosophers7Fixed(t *testing.T) { reach(7, true) }
