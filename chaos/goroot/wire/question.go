package wire

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/rouse-go/rouse/chaos/strategy"
)

// A question has the events since the last one, and at its end the choice that is to be answered, if there is one. Among
// the events may be choices of a single task, whose answer is known. The format is compact, and made without package
// encoding/json, since tasks make questions.

// AppendEvent adds an event to a question, before its choice.
//
//go:norace
func AppendEvent(b []byte, e *strategy.Event) []byte {
	b = appendTask(append(b, isEvent), e.Task)
	b = appendOp(b, &e.Op)
	b = appendTask(b, e.Child)
	b = binary.AppendUvarint(b, uint64(len(e.Wakes)))
	for _, t := range e.Wakes {
		b = appendTask(b, t)
	}
	return b
}

// AppendChoice adds a choice: of the next task, or if n is not 0, of one of n alternatives.
//
//go:norace
func AppendChoice(b []byte, c *strategy.Choice, n int) []byte {
	b = append(b, isChoice)
	for _, x := range []int{n, c.Default, c.Changes, c.Step, int(c.Asks), c.Len()} {
		b = binary.AppendUvarint(b, uint64(x))
	}
	b = appendTask(b, c.Current)
	for _, t := range c.All() {
		b = appendTask(b, t)
	}
	return b
}

const isEvent, isChoice = 1, 2

//go:norace
func appendTask(b []byte, t *strategy.Task) []byte {
	if t == nil {
		return binary.AppendUvarint(b, 0)
	}
	parent, flags := 0, uint64(0)
	if t.Parent != nil {
		parent = t.Parent.ID + 1
	}
	if t.Spinning {
		flags |= 1
	}
	if t.Pseudo {
		flags |= 2
	}
	b = binary.AppendUvarint(b, uint64(t.ID)+1)
	b = binary.AppendUvarint(b, t.Key)
	b = binary.AppendUvarint(b, uint64(parent))
	b = binary.AppendUvarint(b, uint64(t.Ops))
	b = binary.AppendUvarint(b, flags)
	return appendOp(b, &t.Op)
}

//go:norace
func appendOp(b []byte, o *strategy.Op) []byte {
	b = binary.AppendUvarint(b, uint64(o.Kind))
	b = binary.AppendVarint(b, int64(o.Object))
	b = binary.AppendUvarint(b, uint64(len(o.Others)))
	for _, x := range o.Others {
		b = binary.AppendVarint(b, int64(x))
	}
	return b
}

// A Questioned is the other side: a strategy answers the questions of one execution.
type Questioned struct {
	Strategy strategy.Strategy

	tasks map[int]*strategy.Task
	rest  []byte
	err   error
}

var errQuestion = errors.New("a question of a worker is torn")

// mostNumber bounds the numbers of tasks and objects, for which strategies have tables: more than an execution
// has steps for.
const mostNumber = 1 << 25

// Answer passes the events of a question to the strategy, and returns its answer to the choice at the end; 0 if there is
// none.
func (q *Questioned) Answer(question []byte) (int, error) {
	q.rest = question
	observer, _ := q.Strategy.(strategy.Observer)
	for len(q.rest) > 0 && q.err == nil {
		switch what := q.uint(); what {
		case isEvent:
			e := strategy.Event{Task: q.someTask(), Op: q.op(), Child: q.task()}
			for range q.count() {
				e.Wakes = append(e.Wakes, q.someTask())
			}
			if e.Op.Kind == strategy.Spawn && (e.Child == nil || e.Child.Parent == nil) {
				q.err = errQuestion
			}
			if observer != nil && q.err == nil {
				observer.Happened(e)
			}
		case isChoice:
			var c strategy.Choice
			n := q.uint()
			c.Default, c.Changes, c.Step, c.Asks = q.uint(), q.uint(), q.uint(), strategy.Question(q.uint())
			enabled := q.count()
			c.Current = q.task()
			for range enabled {
				c.Enabled = append(c.Enabled, q.someTask())
			}
			switch {
			case q.err != nil || n == 0 && c.Default >= len(c.Enabled) || n == 1:
				return 0, errQuestion
			case n > 0:
				return q.Strategy.Pick(&c, n), nil
			}
			chosen := q.Strategy.Next(&c)
			if len(c.Enabled) > 1 || len(q.rest) == 0 {
				return chosen, nil
			}
			if chosen != 0 {
				q.err = errQuestion
			}
		default:
			q.err = errQuestion
		}
	}
	return 0, q.err
}

func (q *Questioned) uint64() uint64 {
	x, n := binary.Uvarint(q.rest)
	q.skip(n)
	return x
}

// skip skips a number of n bytes. If n is not positive, the number could not be read, and is 0.
func (q *Questioned) skip(n int) {
	if n <= 0 {
		q.rest, q.err = nil, errQuestion
		return
	}
	q.rest = q.rest[n:]
}

func (q *Questioned) uint() int {
	x := q.uint64()
	if x > math.MaxInt32 {
		q.rest, q.err = nil, errQuestion
		return 0
	}
	return int(x)
}

// count reads the length of a list, whose elements have at least a byte each.
func (q *Questioned) count() int {
	n := q.uint()
	if n > len(q.rest) {
		q.rest, q.err = nil, errQuestion
		return 0
	}
	return n
}

func (q *Questioned) object() int {
	x, n := binary.Varint(q.rest)
	q.skip(n)
	if x < 0 || x >= mostNumber {
		q.rest, q.err = nil, errQuestion
		return 0
	}
	return int(x)
}

// task reads a task, which stays the same one throughout an execution; nil if there is none.
func (q *Questioned) task() *strategy.Task {
	id := q.uint() - 1
	if id < 0 {
		return nil
	}
	if id >= mostNumber {
		q.rest, q.err = nil, errQuestion
		return nil
	}
	t := q.at(id)
	t.Key = q.uint64()
	switch parent := q.uint() - 1; {
	case parent >= id: // it would be younger
		q.rest, q.err = nil, errQuestion
	case parent >= 0:
		t.Parent = q.at(parent)
	}
	t.Ops = q.uint()
	flags := q.uint()
	t.Spinning, t.Pseudo = flags&1 != 0, flags&2 != 0
	t.Op = q.op()
	return t
}

// someTask is task where there must be one.
func (q *Questioned) someTask() *strategy.Task {
	t := q.task()
	if t == nil {
		q.rest, q.err = nil, errQuestion
	}
	return t
}

func (q *Questioned) at(id int) *strategy.Task {
	t := q.tasks[id]
	if t == nil {
		if q.tasks == nil {
			q.tasks = map[int]*strategy.Task{}
		}
		t = &strategy.Task{ID: id}
		q.tasks[id] = t
	}
	return t
}

func (q *Questioned) op() (o strategy.Op) {
	o.Kind, o.Object = strategy.Kind(q.uint()), q.object()
	for range q.count() {
		o.Others = append(o.Others, q.object())
	}
	return o
}
