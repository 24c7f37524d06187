package strategy

import "math/rand/v2"

// A program of the simulator: a list of instructions for each task. Task 0 and the
// next few are there from the beginning, the others are spawned, at most once each.
type program struct {
	tasks   [][]instr
	present int   // tasks there from the beginning; 0 is 1
	objects []int // what the objects hold at the beginning
	warm    bool  // tasks begin by themselves, without a step
}

type instr struct {
	do     verb
	object int
	a, b   int
	reg    int
}

type verb uint8

const (
	load    verb = iota // reg = object
	store               // object = a
	add                 // object += a, reg = object
	cas                 // if object == a: object = b, reg = 1; else reg = 0
	write               // object = reg + a
	lock                // waits until object is 0; object = 1
	tryLock             // reg = 1 if so; else reg = 0
	unlock              // object = 0
	release             // the same, without a choice before
	down                // waits until object > 0; object--
	up                  // object++
	zero                // waits until object is 0
	await               // waits until task a has ended; no object
	quiet               // object = a, without a choice before
	choose              // waits until object > 0 or object a > 0; takes one: reg = 0 or 1
	pick                // reg = one of a
	stale               // reg = object, or a
	fence               // reg = of all objects, which it doesn't name
	spawn               // task a
	yield
	point
	skip // if reg == a: skip b instructions, also back
	fail // an assertion
)

func (v verb) kind() Kind {
	switch v {
	case load, stale:
		return Load
	case store, add, write, quiet:
		return Store
	case await:
		return Sleep
	case cas:
		return CAS
	case lock:
		return Lock
	case tryLock:
		return TryLock
	case unlock, release:
		return Unlock
	case down, zero:
		return Wait
	case up:
		return Signal
	case choose:
		return Select
	case yield:
		return Yield
	case fence:
		return Fence
	}
	return Point
}

// wakes reports whether others wait for what the verb does to its object.
func (v verb) wakes() bool {
	switch v {
	case lock, tryLock, unlock, release, down, up, choose:
		return true
	}
	return false
}

// reorder is SCTBench's reorder_N, N being setters and one checker: setters write
// a = 1 and b = -1, and the checker asserts a == 0 && b == 0 || a == 1 && b == -1,
// reading each time what it names, so that it has to read after the first write of
// a and before the first of b. The first task starts the setters, then the checker,
// and joins them; if steps is set, each start and each join is a step, as in tools
// in which that is a choice.
func reorder(n int, steps bool) *program {
	const a, b, end = 0, 1, 100
	p := &program{objects: []int{0, 0}, tasks: make([][]instr, 1, n+1)}
	for range n - 1 {
		p.tasks = append(p.tasks, []instr{{do: store, object: a, a: 1}, {do: store, object: b, a: -1}})
	}
	p.tasks = append(p.tasks, []instr{
		{do: load, object: a, reg: 0},
		{do: skip, reg: 0, a: 1, b: 2},
		{do: load, object: b, reg: 1},
		{do: skip, reg: 1, a: 0, b: end},
		{do: load, object: a, reg: 0},
		{do: skip, reg: 0, a: 0, b: 2},
		{do: load, object: b, reg: 1},
		{do: skip, reg: 1, a: -1, b: end},
		{do: fail},
	})
	for i := range n {
		if steps {
			p.tasks[0] = append(p.tasks[0], instr{do: point})
		}
		p.tasks[0] = append(p.tasks[0], instr{do: spawn, a: i + 1})
	}
	for i := 0; steps && i < n; i++ {
		p.tasks[0] = append(p.tasks[0], instr{do: point})
	}
	return p
}

// the is Cilk's THE queue without the fence that its victim needs: the owner takes
// from the tail while a thief steals from the head, and both may get the last item.
// Here the fence's absence is the owner's reading the head before it has moved the tail.
func the() *program {
	const head, tail, mutex, taken = 0, 1, 2, 3 // taken, taken+1, ...: the items
	const items = 2
	var owner []instr
	for i := range items {
		owner = append(owner, instr{do: store, object: tail, a: i + 1})
	}
	// pop: h = H; t = T-1; T = t; if h > t: retreat (not reached for the items that
	// no thief has stolen); take item t.
	for i := items - 1; i >= 0; i-- {
		pop := []instr{{do: load, object: head, reg: 0}, {do: store, object: tail, a: i}}
		for h := i + 1; h <= items; h++ {
			pop = append(pop, instr{do: skip, reg: 0, a: h, b: 100}) // empty: the owner ends
		}
		pop = append(pop, instr{do: add, object: taken + i, a: 1, reg: 1}, instr{do: skip, reg: 1, a: 1, b: 1}, instr{do: fail})
		owner = append(owner, pop...)
	}
	// steal: lock; h = H; H = h+1; if H > T: H = h, unlock, end; take item h; unlock.
	var thief []instr
	for h := range items {
		thief = append(thief, instr{do: lock, object: mutex}, instr{do: store, object: head, a: h + 1}, instr{do: load, object: tail, reg: 0})
		for t := 0; t <= h; t++ {
			thief = append(thief, instr{do: skip, reg: 0, a: t, b: 100})
		}
		thief = append(thief, instr{do: add, object: taken + h, a: 1, reg: 1}, instr{do: skip, reg: 1, a: 1, b: 1}, instr{do: fail},
			instr{do: unlock, object: mutex})
	}
	return &program{tasks: [][]instr{owner, thief}, present: 2, objects: make([]int, taken+items)}
}

// window opens for one step of its first task's many, and fails if the second looks
// through it, a bug of depth 2. If twice is set it must also look a second time when
// it has closed, which makes depth 3.
func window(before, after int, twice bool) *program {
	const w, other = 0, 1
	var opener []instr
	for range before {
		opener = append(opener, instr{do: store, object: other})
	}
	opener = append(opener, instr{do: store, object: w, a: 1}, instr{do: store, object: w, a: 0})
	for range after {
		opener = append(opener, instr{do: store, object: other})
	}
	looker := []instr{{do: load, object: w}, {do: skip, a: 0, b: 100}}
	if twice {
		looker = append(looker, instr{do: load, object: w}, instr{do: skip, a: 1, b: 100})
	}
	looker = append(looker, instr{do: fail})
	return &program{tasks: [][]instr{opener, looker}, present: 2, warm: true, objects: []int{0, 0}}
}

// straight is n tasks of so many steps each, which have nothing to do with each other.
func straight(steps ...int) *program {
	p := &program{present: len(steps), warm: true, objects: make([]int, len(steps))}
	for i, n := range steps {
		task := make([]instr, n)
		for j := range task {
			task[j] = instr{do: store, object: i, a: j}
		}
		p.tasks = append(p.tasks, task)
	}
	return p
}

// The objects of a random program.
const (
	cellA, cellB = 0, 1
	lockA, lockB = 2, 3
	semaphore    = 4
	channel      = 5
	group        = 6 // a WaitGroup
	objects      = 7
)

// generate returns a small random program of about so many operations: accesses
// and what depends on what they read, critical sections (some never left), waits,
// selects, picks, spawns, ends that are waited for.
func generate(r *rand.Rand, operations int) *program {
	p := &program{objects: make([]int, objects), warm: r.IntN(4) > 0}
	n := 2 + r.IntN(3)
	p.tasks = make([][]instr, n)
	p.present = 1 + r.IntN(n)
	for i := range n {
		size := max(1, operations/n+r.IntN(3)-1)
		for len(p.tasks[i]) < size {
			p.tasks[i] = append(p.tasks[i], phrase(r)...)
		}
	}
	for i := p.present; i < n; i++ {
		parent := r.IntN(i)
		at := r.IntN(len(p.tasks[parent]) + 1)
		p.tasks[parent] = insert(p.tasks[parent], at, instr{do: spawn, a: i})
	}
	if r.IntN(4) == 0 { // each but one is waited for
		p.objects[group] = n - 1
		for i := 1; i < n; i++ {
			p.tasks[i] = append(p.tasks[i], instr{do: up, object: group, b: 1})
		}
		at := r.IntN(len(p.tasks[0]) + 1)
		p.tasks[0] = insert(p.tasks[0], at, instr{do: zero, object: group})
	}
	return p
}

// insert puts an instruction before the one at i, and lets skips jump over it.
func insert(code []instr, i int, in instr) []instr {
	code = append(code, instr{})
	copy(code[i+1:], code[i:])
	code[i] = in
	for j := range code[:i] {
		if code[j].do == skip && j+code[j].b >= i {
			code[j].b++
		}
	}
	return code
}

func phrase(r *rand.Rand) []instr {
	a := anAccess(r)
	switch r.IntN(17) {
	case 0, 1, 2:
		m := lockA + r.IntN(2)
		leave := unlock
		if r.IntN(2) == 0 {
			leave = release
		}
		body := []instr{{do: lock, object: m}}
		if r.IntN(4) > 0 {
			body = append(body, a)
		}
		if r.IntN(8) == 0 { // the other one inside: a deadlock with one the other way round
			other := lockA + lockB - m
			body = append(body, instr{do: lock, object: other}, instr{do: release, object: other})
		}
		if r.IntN(8) > 0 {
			body = append(body, instr{do: leave, object: m})
		}
		return body
	case 3:
		m := lockA + r.IntN(2)
		return []instr{{do: tryLock, object: m}, {do: skip, a: 0, b: 2}, a, {do: unlock, object: m}}
	case 16:
		return []instr{{do: await, a: r.IntN(2)}} // of itself, sometimes
	case 4:
		return []instr{{do: down, object: semaphore}}
	case 5:
		return []instr{{do: up, object: semaphore}}
	case 6:
		return []instr{{do: up, object: channel}}
	case 7:
		return []instr{{do: choose, object: semaphore, a: channel}}
	case 8:
		return []instr{{do: pick, a: 2 + r.IntN(2), reg: 1}, {do: skip, reg: 1, a: 0, b: 1}, a}
	case 9:
		return []instr{{do: stale, object: r.IntN(2), a: 7}}
	case 10, 11:
		return []instr{{do: load, object: r.IntN(2)}, {do: skip, a: r.IntN(2), b: 1}, a}
	}
	return []instr{a}
}

func anAccess(r *rand.Rand) instr {
	in := instr{object: r.IntN(2), reg: r.IntN(3)}
	switch r.IntN(7) {
	case 0, 1:
		in.do = load
	case 2, 3:
		in.do, in.a = store, r.IntN(3)
	case 4:
		in.do, in.a = write, 1
	case 5:
		in.do, in.a = add, 1
	default:
		in.do, in.a, in.b = cas, r.IntN(2), 1+r.IntN(2)
	}
	return in
}
