package strategy

import "math/rand/v2"

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
