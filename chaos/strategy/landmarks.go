package strategy

import "math/rand/v2"

// often is how many times a task does the same to the same object before that is routine.
const often = 3

// landmarks holds the operations of the first execution that were not routine for their tasks. If a task adds to a
// counter a hundred thousand times and then sets a flag, a step drawn at random is an addition; a landmark is as
// likely the flag.
type landmarks struct {
	tasks [][]landmark // in the order of their first ones
	byKey map[uint64]int
	times map[habit]int // how often it has been done
}

// A landmark is an operation: the task, and how many it has done before.
type landmark struct {
	key uint64
	ops int
}

type habit struct {
	key    uint64
	kind   Kind
	object int
}

func newLandmarks() *landmarks {
	return &landmarks{byKey: map[uint64]int{}, times: map[habit]int{}}
}

// add enters a task's step of the first execution.
func (l *landmarks) add(t *Task) {
	switch t.Op.Kind {
	case Begin, After, Resume: // before the first one a change is another permutation only
		return
	}
	h := habit{t.Key, t.Op.Kind, t.Op.Object}
	times := l.times[h]
	if times == often || len(l.times) == mostUses {
		return
	}
	l.times[h] = times + 1
	i, ok := l.byKey[t.Key]
	if !ok {
		i = len(l.tasks)
		l.byKey[t.Key] = i
		l.tasks = append(l.tasks, nil)
	}
	l.tasks[i] = append(l.tasks[i], landmark{t.Key, t.Ops})
}

// draw appends n of them to list, each of a task drawn at random, if there are any.
func (l *landmarks) draw(source *rand.PCG, n int, list []landmark) []landmark {
	l.times = nil // all are known
	for ; len(l.tasks) > 0 && n > 0; n-- {
		of := l.tasks[intn(source, len(l.tasks))]
		list = append(list, of[intn(source, len(of))])
	}
	return list
}
