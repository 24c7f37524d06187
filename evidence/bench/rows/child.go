package rows

import (
	"context"
	"fmt"
	"io"

	"github.com/rouse-go/rouse/evidence/bench/foreign"
	"github.com/rouse-go/rouse/evidence/bench/gopools"
	"github.com/rouse-go/rouse/evidence/bench/peers"
)

// Child runs the turns that need a process of their own, because earlier turns and the rest of this
// process would affect their figures. It speaks the protocol of package foreign, and returns when
// there are no more lines.
func Child(ctx context.Context, in io.Reader, out io.Writer) error {
	return foreign.Serve(in, out, func(row string, args []int) (float64, []float64, error) {
		switch {
		case row == "idle" && len(args) == 3:
			return idling(ctx, args[0], args[1], args[2])
		case row == "io-idle" && len(args) == 2:
			return idlingAfterBurst(args[0], args[1])
		case row == "memory" && len(args) == 3:
			return memoryThrough(args[0], args[1], args[2])
		case row == "memory-joins" && len(args) == 2:
			return memoryOfJoins(args[0], args[1])
		case row == "coarse" && len(args) == 4:
			return coarseTurn(args[0], tree{args[1], args[2], args[3]})
		default:
			return 0, nil, fmt.Errorf("no row %q with %d numbers", row, len(args))
		}
	})
}

// child returns a contestant that runs each turn in a new child of this program.
func (s *Setup) child(name string, right func(float64) error, figures func([]float64) (peers.Figures, error), row string, args ...int) peers.Contestant {
	return s.Self.fresh(name, right, figures, row, args...)
}

// fresh is like turns, with a new process for each turn.
func (f Foreign) fresh(name string, right func(float64) error, figures func([]float64) (peers.Figures, error), row string, args ...int) peers.Contestant {
	return peers.Contestant{Name: name, Missing: f.Missing, Turn: func(ctx context.Context) (peers.Figures, error) {
		fresh := Foreign{Program: f.Program.Fresh()}
		defer fresh.Program.Close()
		return fresh.turns(name, right, figures, row, args...).Turn(ctx)
	}}
}

// noKind stands for having no pool.
const noKind = -1

// newKind makes a pool of the kind with that number.
func newKind(kind, workers int) (gopools.Pool, error) {
	kinds := gopools.Kinds()
	if kind < 0 || kind >= len(kinds) {
		return nil, fmt.Errorf("no kind %d", kind)
	}
	return kinds[kind].New(workers)
}
