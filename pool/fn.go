package pool

// Join runs f(w, a1) and f(w, a2), the second possibly on another worker at the same time, and
// returns both results. It allocates nothing. See Worker.Join for everything else.
func Join[A, R any](w *Worker, f func(w *Worker, a A) R, a1, a2 A) (r1, r2 R) {
	w.check("Join")
	refuseNil(f == nil)
	i := w.forks.top
	t, ok := w.frame(i).(*funcJoin[A, R])
	if !ok {
		t = newFrame(w, newFuncJoin[A, R])
	}
	t.f, t.a = f, a2
	w.fork(i)
	if w.mayKeep(i) {
		w.kept()
	} else {
		w.keepLess()
	}
	r1 = f(w, a1)
	if w.isMine(&t.joinTask) || w.join(&t.joinTask) {
		w.takeBack(i)
		t.f = nil // t stays, but need not keep this
		r2 = f(w, t.argument())
		w.joined(i)
		return r1, r2
	}
	return r1, t.result()
}

// typedJoin is what the b of Join and that of Fn.Join have in common.
type typedJoin[A, R any] struct {
	joinTask
	a A
	r R // valid once the latch is set
}

// argument returns b's argument and clears it: t stays on the stack of forks, and maybe in a
// deque's slot.
func (t *typedJoin[A, R]) argument() A {
	a := t.a
	var none A
	t.a = none
	return a
}

// result returns the result of a second half that was run as a job, and clears it.
func (t *typedJoin[A, R]) result() (r R) {
	r, t.r = t.r, r
	return r
}

// funcJoin is the b of Join.
type funcJoin[A, R any] struct {
	typedJoin[A, R]
	f func(w *Worker, a A) R
}

func (t *funcJoin[A, R]) run(w *Worker) {
	t.begin(w)
	f := t.f
	t.f = nil
	t.r = f(w, t.argument())
}

func newFuncJoin[A, R any]() *funcJoin[A, R] { return new(funcJoin[A, R]) }

// A Fn is a function that forks into calls of itself: the fast way to recursive parallelism,
// without a closure per call.
//
//	var fib = pool.NewFn(func(fib *pool.Fn[int, int], w *pool.Worker, n int) int {
//		if n < 2 {
//			return n
//		}
//		x, y := fib.Join(w, n-1, n-2)
//		return x + y
//	})
//
// A Fn belongs to no pool, and any number of workers may use it at the same time.
type Fn[A, R any] struct {
	body func(fn *Fn[A, R], w *Worker, a A) R
}

// NewFn makes a Fn of body, which gets the Fn as its first argument: a package variable that named
// itself in its own body would be an initialisation cycle.
func NewFn[A, R any](body func(fn *Fn[A, R], w *Worker, a A) R) *Fn[A, R] {
	refuseNil(body == nil)
	return &Fn[A, R]{body: body}
}

// Call calls the function on w.
func (fn *Fn[A, R]) Call(w *Worker, a A) R { return fn.body(fn, w, a) }

// Join calls the function with a1 and with a2, the second possibly on another worker at the same
// time, and returns both results. It allocates nothing. See Worker.Join for everything else.
func (fn *Fn[A, R]) Join(w *Worker, a1, a2 A) (r1, r2 R) {
	w.check("Fn.Join")
	i := w.forks.top
	if !w.mayKeep(i) {
		return fn.joinAnew(w, a1, a2)
	}
	t, ok := w.forks.frames[i].(*fnJoin[A, R])
	if !ok {
		return fn.joinAnew(w, a1, a2)
	}
	if t.fn != fn {
		t.fn = fn
	}
	t.a = a2
	w.fork(i)
	w.kept()
	r1 = fn.body(fn, w, a1)
	if w.isMine(&t.joinTask) || w.join(&t.joinTask) {
		w.takeBack(i)
		r2 = fn.body(fn, w, t.argument())
		w.joined(i)
		return r1, r2
	}
	return r1, t.result()
}

// joinAnew is Join where the place on the stack has no frame for the fork yet, or the fork may not
// stay private.
func (fn *Fn[A, R]) joinAnew(w *Worker, a1, a2 A) (r1, r2 R) {
	i := w.forks.top
	t, ok := w.frame(i).(*fnJoin[A, R])
	if !ok {
		t = newFrame(w, newFnJoin[A, R])
	}
	t.fn, t.a = fn, a2
	w.open(i)
	r1 = fn.body(fn, w, a1)
	if w.reclaim(&t.joinTask) {
		r2 = fn.body(fn, w, t.argument())
		w.joined(i)
		return r1, r2
	}
	return r1, t.result()
}

// fnJoin is the b of Fn.Join.
type fnJoin[A, R any] struct {
	typedJoin[A, R]
	fn *Fn[A, R]
}

func (t *fnJoin[A, R]) run(w *Worker) {
	t.begin(w)
	t.r = t.fn.body(t.fn, w, t.argument())
}

func newFnJoin[A, R any]() *fnJoin[A, R] { return new(fnJoin[A, R]) }
