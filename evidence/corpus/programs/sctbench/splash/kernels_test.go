package splash

import (
	"math"
	"math/cmplx"
	"slices"
	"sync"
	"testing"
)

const workers = 2

// checked fails unless all workers had ended when the program went on.
func checked(t *testing.T, waits bool, work func(id int, b *barrier)) {
	if n := run(workers, waits, work); n != workers {
		t.Errorf("%d of %d workers have ended", n, workers)
	}
}

// fft transforms 8 numbers: log n rounds of butterflies, with a barrier behind each.
func fft(t *testing.T, waits bool) {
	const n = 8
	x, y := make([]complex128, n), make([]complex128, n)
	for i := range x {
		x[i] = complex(float64(i), 0)
	}
	checked(t, waits, func(id int, b *barrier) {
		from, to := x, y
		for half := 1; half < n; half *= 2 {
			for i := id; i < n/2; i += workers {
				k := i / half * half
				w := cmplx.Rect(1, -math.Pi*float64(k)/float64(n/2))
				to[2*k+i%half] = from[i] + from[i+n/2]
				to[2*k+i%half+half] = (from[i] - from[i+n/2]) * w
			}
			b.wait()
			from, to = to, from
		}
	})
	// Three rounds end in y; the sum of all is its first element.
	if real(y[0]) != n*(n-1)/2 {
		t.Errorf("the sum is %v", y[0])
	}
}

func TestFFT(t *testing.T)      { fft(t, false) }
func TestFFTFixed(t *testing.T) { fft(t, true) }

// lu factors a matrix. Workers share the rows below each pivot.
func lu(t *testing.T, waits bool) {
	const n = 4
	a := [n][n]float64{{4, 3, 2, 1}, {4, 6, 3, 2}, {8, 9, 9, 3}, {4, 6, 8, 9}}
	checked(t, waits, func(id int, b *barrier) {
		for k := range n {
			for i := k + 1 + id; i < n; i += workers {
				a[i][k] /= a[k][k]
				for j := k + 1; j < n; j++ {
					a[i][j] -= a[i][k] * a[k][j]
				}
			}
			b.wait()
		}
	})
	if a[1][0] != 1 || a[2][0] != 2 {
		t.Errorf("the factors are %v", a)
	}
}

func TestLU(t *testing.T)      { lu(t, false) }
func TestLUFixed(t *testing.T) { lu(t, true) }

// barnes puts bodies into a tree under a lock, and then sums what each part of it weighs.
func barnes(t *testing.T, waits bool) {
	var mu sync.Mutex
	var cells [2][]int // the tree has two cells
	var weights [workers]int
	checked(t, waits, func(id int, b *barrier) {
		for body := id; body < 6; body += workers {
			mu.Lock()
			cells[body%len(cells)] = append(cells[body%len(cells)], body)
			mu.Unlock()
		}
		b.wait()
		for _, body := range cells[id] {
			weights[id] += body
		}
		b.wait()
	})
	if !slices.Equal(weights[:], []int{0 + 2 + 4, 1 + 3 + 5}) {
		t.Errorf("the weights are %v", weights)
	}
}

func TestBarnes(t *testing.T)      { barnes(t, false) }
func TestBarnesFixed(t *testing.T) { barnes(t, true) }
