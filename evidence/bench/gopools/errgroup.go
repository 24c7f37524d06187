package gopools

import "golang.org/x/sync/errgroup"

// group is an errgroup without a limit: a limit would block the starter.
type group struct{ errgroup.Group }

func newErrgroup(int) (Pool, error) { return new(group), nil }

func (g *group) Go(f func()) {
	g.Group.Go(func() error {
		f()
		return nil
	})
}

func (g *group) Flood(n int) {
	for range n {
		g.Group.Go(emptyError)
	}
}

func emptyError() error {
	empty()
	return nil
}

func (g *group) Wait() { _ = g.Group.Wait() } // no job returns an error
