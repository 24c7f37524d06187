package pool

// A chain of joins whose links are stolen nests as deep as it is long, on one stack: 700 bytes and
// eight frames for each. Go doubles a stack that is full and moves all that is on it: at 0.2 us a
// frame, milliseconds for a few thousand jobs, while others wait for this one.
//
// A worker that has nested many jobs is likely to nest more, so it gets room for eight times as
// many at once. What is not used is address space only, and the garbage collector takes it back.
const (
	someNested = 32
	manyNested = 256
)

// nest notes a task that is about to run on top of this worker's others.
func (w *Worker) nest(t task) {
	w.stack = append(w.stack, t)
	if n := len(w.stack); n == someNested || n == manyNested {
		makeRoom(n)
	}
}

// unnest notes that all but that many are over: more than one if a Goexit ends them.
func (w *Worker) unnest(below int) {
	clear(w.stack[below:])
	w.stack = w.stack[:below]
}

// makeRoom makes room on the stack for eight times as many jobs. It moves the stack once, if it
// does: a function's whole frame has to fit, whether or not it is used.
//
//go:noinline
func makeRoom(nested int) {
	if nested == someNested {
		for256(false)
	} else {
		for2048(false)
	}
}

// A piece is as much as the compiler lets one variable have of a stack.
type piece = [128 << 10]byte

//go:noinline
func for256(use bool) {
	if use {
		var a, b piece
		all(&a, &b)
	}
}

//go:noinline
func for2048(use bool) {
	if use {
		var a, b, c, d, e, f, g, h, i, j, k, l piece
		all(&a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k, &l)
	}
}

// all is where pieces are wanted at the same time.
//
//go:noinline
func all(...*piece) {}
