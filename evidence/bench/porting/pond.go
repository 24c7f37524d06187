package porting

import (
	"context"

	"github.com/alitto/pond/v2"
	"github.com/rouse-go/rouse/pool"
)

// CheckPond calls check for each input, and returns the first error.
func CheckPond(ctx context.Context, inputs []string, check func(string) error) error {
	p := pond.NewPool(4)
	defer p.StopAndWait()
	g := p.NewGroupContext(ctx)
	for _, s := range inputs {
		g.SubmitErr(func() error { return check(s) })
	}
	return g.Wait()
}

// CheckGroup is CheckPond with a group on a pool of its own.
func CheckGroup(ctx context.Context, inputs []string, check func(string) error) error {
	p, err := pool.New(4)
	if err != nil {
		return err
	}
	defer p.Close(context.Background())
	g, _ := p.Group(ctx)
	for _, s := range inputs {
		g.Go(func(*pool.Worker) error { return check(s) })
	}
	return g.Wait()
}
