package pool_test

import (
	"math/rand/v2"

	"github.com/leanovate/gopter"
	"github.com/rouse-go/rouse/internal/forkjoin"
	"github.com/rouse-go/rouse/pool"
)

// genProgram generates trees that grow with gopter's size, and shrinks them.
func genProgram() gopter.Gen {
	return func(p *gopter.GenParameters) *gopter.GenResult {
		r := rand.New(rand.NewPCG(p.NextUint64(), 0))
		return gopter.NewGenResult(forkjoin.Grow(r, 1+r.IntN(p.MaxSize+1)), func(v any) gopter.Shrink {
			list := v.(*forkjoin.Node).Smaller()
			return func() (any, bool) {
				if len(list) == 0 {
					return nil, false
				}
				next := list[0]
				list = list[1:]
				return next, true
			}
		})
	}
}

// execute runs the program in new pools of that many workers, and returns what was wrong with
// it; "" if all was right, and it came to what is meant.
func execute(root, meant *forkjoin.Node, workers [2]int, options ...pool.Option) string {
	var pools [2]*pool.Pool
	for i := range pools {
		p, err := pool.New(workers[i], options...)
		if err != nil {
			return err.Error()
		}
		pools[i] = p
	}
	e := forkjoin.New(root, meant, pools)
	e.Run()
	for _, p := range pools {
		if err := p.Close(background); err != nil {
			return err.Error()
		}
	}
	return e.Wrong()
}
