// operators: element-kept element-lost element-doubled element-skipped fifo-to-lifo append-in-front list-other-end

// Package elements is searched for mutants: want names those of a line.
package elements

import (
	"container/list"
	"sync"
)

type queue[T any] struct {
	mu    sync.Mutex
	items []T
	byKey map[string]T
	first *entry[T]
	order list.List
}

type entry[T any] struct {
	next *entry[T]
	v    T
}

func (q *queue[T]) put(key string, v T) {
	q.items = append(q.items, v) // want element-lost element-doubled append-in-front
	q.byKey[key] = v             // want element-lost
	q.order.PushBack(v)          // want list-other-end
}

func (q *queue[T]) take(key string) T {
	v := q.items[0]
	q.items = q.items[1:]           // want element-kept element-skipped fifo-to-lifo
	delete(q.byKey, key)            // want element-kept
	q.first = q.first.next          // want element-kept
	q.order.Remove(q.order.Front()) // want element-kept list-other-end
	return v
}

func (q *queue[T]) pop() T {
	last := len(q.items) - 1
	_ = last
	v := q.items[len(q.items)-1]
	q.items = q.items[:len(q.items)-1] // want element-kept fifo-to-lifo
	return v
}

// Local slices and maps, slices that are cut otherwise, and elements that are cleared.
func (q *queue[T]) local(n int) []int {
	var s []int
	s = append(s, n)
	s = s[1:]
	m := map[int]int{}
	m[n] = n
	delete(m, n)
	q.items = q.items[n:]
	q.items = q.items[:0]
	return s
}
