package forkjoin

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// A Kind of node.
type Kind int

// The kinds of nodes.
const (
	Compute      Kind = iota // a number, after a few yields
	Join                     // both sides
	Scope                    // a body and jobs
	Goes                     // a job that nothing waits for: its value goes to the sink
	Nested                   // a run in the other pool
	PanicsInA                // a join whose a panics: b is the child, its value goes to the sink
	PanicsInB                // a join whose b panics: a is the child
	PanicsInBody             // a scope whose body panics: the jobs are the children
	PanicsInJob              // a scope of which one job panics
	Inside                   // a job of a scope starts another of the same scope
	Typed                    // both sides of a typed join
	Loops                    // a Map over the children
	FIFO                     // a batch in a FIFO scope
	InPlace                  // a scope whose jobs run in the other pool
	Spawned                  // a future of its own pool
	Submitted                // a future of the other pool
	Yields                   // runs whatever there is before and after
	Blocks                   // blocks until another job has run the child
	Isolates                 // waits isolated
	Cancels                  // besides the child, a scope whose context ends
	Broadcasts               // besides the child, a broadcast
	Kinds                    // how many kinds there are
)

func (k Kind) String() string {
	return [...]string{"compute", "join", "scope", "go", "nested", "panic-a", "panic-b", "panic-body", "panic-job", "inside",
		"typed", "loop", "fifo", "in-place", "spawn", "submit", "yield", "block", "isolated", "cancel", "broadcast"}[k]
}

// A Node of a program is one job, or a step of a job after another. Nodes are immutable, except for
// their numbers, which New sets.
type Node struct {
	Kind     Kind
	Value    int // of Compute; the yields are Value%3
	Children []*Node
	id       int
}

// String returns the program in one line.
func (n *Node) String() string {
	if n.Kind == Compute {
		return fmt.Sprint(n.Value)
	}
	var children []string
	for _, c := range n.Children {
		children = append(children, c.String())
	}
	return fmt.Sprintf("%v(%s)", n.Kind, strings.Join(children, " "))
}

// Grow makes a random tree of at most size nodes, always the same from the same r. It has
// either jobs that broadcast, or waits during which a worker does not do its share, but not
// both: the one may wait for the other.
func Grow(r *rand.Rand, size int) *Node {
	without := []Kind{Broadcasts}
	if r.IntN(2) == 0 {
		without = []Kind{Blocks, Isolates}
	}
	return growWithout(r, size, without)
}

func growWithout(r *rand.Rand, size int, without []Kind) *Node {
	if size <= 1 {
		return &Node{Kind: Compute, Value: r.IntN(100)}
	}
	n := new(Node)
	for n.Kind == Compute || slices.Contains(without, n.Kind) {
		n.Kind = Kind(r.IntN(int(Kinds)))
	}
	children := 1
	switch n.Kind {
	case Join, Inside, Typed:
		children = 2
	case Scope, PanicsInBody, PanicsInJob, Loops, FIFO, InPlace:
		children = 1 + r.IntN(4)
	}
	for range children {
		n.Children = append(n.Children, growWithout(r, (size-1)/children, without))
	}
	return n
}

// Smaller returns programs that are a little smaller: with a child in its parent's
// place, or a number in a subtree's place.
func (n *Node) Smaller() []*Node {
	if n.Kind == Compute {
		return nil
	}
	list := slices.Clone(n.Children)
	for i, c := range n.Children {
		for _, s := range append(c.Smaller(), &Node{Kind: Compute, Value: 1}) {
			if c.Kind == Compute && s.Kind == Compute {
				continue
			}
			copied := *n
			copied.Children = slices.Clone(n.Children)
			copied.Children[i] = s
			list = append(list, &copied)
		}
	}
	return list
}

// Lie returns the program with another first number. It has another meaning, as a test
// of the comparison needs.
func (n *Node) Lie() *Node {
	copied := *n
	if n.Kind == Compute {
		copied.Value++
		return &copied
	}
	copied.Children = append([]*Node{n.Children[0].Lie()}, n.Children[1:]...)
	return &copied
}

// number numbers the nodes from next on and returns the next number.
func (n *Node) number(next int) int {
	n.id = next
	next++
	for _, c := range n.Children {
		next = c.number(next)
	}
	return next
}

// Meaning returns the meaning of the program, computed without any pool: its value,
// and the number that it adds to the sink.
func (n *Node) Meaning() (value, sink int) {
	if n.Kind == Compute {
		return n.Value, 0
	}
	var values []int
	sum := 0
	for _, c := range n.Children {
		v, s := c.Meaning()
		values = append(values, v)
		sum += v
		sink += s
	}
	switch n.Kind {
	case Join:
		return 31*values[0] + 7*values[1] + 1, sink
	case Goes, PanicsInA:
		return 3, sink + 17*sum
	case Inside:
		return values[0] - 2*values[1], sink
	}
	return 13*sum + int(n.Kind), sink
}
