package moby

import (
	"fmt"
	"sync"
	"testing"
)

// moby27037 creates networks in goroutines, each named by the counter of the loop. Goroutines share
// the counter, unless they get it as an argument.
func moby27037(argument bool) {
	names := make([]string, 3)
	var creations sync.WaitGroup
	creations.Add(len(names))
	create := func(place, i int) {
		defer creations.Done()
		names[place] = fmt.Sprint("net", i)
	}
	var i int
	for i = 0; i < len(names); i++ {
		place := i
		if argument {
			go create(place, i)
		} else {
			go func() { create(place, i) }()
		}
	}
	creations.Wait()
}

func TestMoby27037(*testing.T) { moby27037(false) }

func TestMoby27037Fixed(*testing.T) { moby27037(true) }
