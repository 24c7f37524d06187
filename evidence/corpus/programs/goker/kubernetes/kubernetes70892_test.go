package kubernetes

import (
	"sync"
	"testing"
)

// inParallel calls work for each piece, in two workers.
func inParallel(pieces int, work func(piece int)) {
	todo := make(chan int, pieces)
	for i := range pieces {
		todo <- i
	}
	close(todo)
	var workers sync.WaitGroup
	for range 2 {
		workers.Go(func() {
			for i := range todo {
				work(i)
			}
		})
	}
	workers.Wait()
}

// kubernetes70892 scores each node by each priority. A function that scores a node replaces the
// score lists, which the others read, or writes its own element of each.
func kubernetes70892(replace bool) {
	const priorities, nodes = 3, 2
	scores := make([][]int, priorities)
	for p := range scores {
		scores[p] = make([]int, nodes)
	}
	inParallel(nodes, func(node int) {
		for p := range scores {
			if replace && len(scores[p]) == nodes {
				scores[p] = append(scores[p], node)
			} else {
				scores[p][node] = p
			}
		}
	})
}

func TestKubernetes70892(*testing.T) { kubernetes70892(true) }

func TestKubernetes70892Fixed(*testing.T) { kubernetes70892(false) }
