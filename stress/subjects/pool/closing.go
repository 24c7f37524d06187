package pool

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/stress/subject"
)

// closingWorkload: whether a job comes before the close or after it is decided while both are under way.
var closingWorkload = workload{
	name: "closing",
	about: "Posts while a pool closes: several posters (injectors) start jobs by all entries, each of which starts another, until the pool refuses them. An " +
		"outsider closes it meanwhile, and so does a job of another pool (Worker.Close), while jobs of a third one have runs, scopes and broadcasts there. What was taken runs once, with what it starts; what was refused does not run, and nothing is taken after a refusal.",
	uses:     []string{"jobs", "injectors", "repeat", "pause"},
	defaults: sizes{jobs: 12, injectors: 3, repeat: 3, pause: defaultPause},
	small:    sizes{jobs: 3, injectors: 1, repeat: 1},
	run: func(x *execution) {
		r := x.Rand("closing")
		other, third := x.newPool(1), x.newPool(1)
		ways := slices.Concat(postWays, postsFrom(third))
		for range x.sizes.repeat {
			p := x.newPool(x.workers)
			var posted posts
			var all subject.Crew
			for i := range x.sizes.injectors {
				name := fmt.Sprint("poster ", i)
				all.Start(name, func() { x.postUntilClosed(p, name, &posted, ways) })
			}
			x.pause(r)
			all.Start("closer", func() { x.close(p) })
			all.Start("caller of the closer", func() {
				err := other.Run(context.Background(), func(w *pool.Worker) error { return w.Close(context.Background(), p) })
				if err != nil {
					x.Fail(verdict.WrongResult, "Worker.Close: %v", err)
				}
				x.closed(p)
			})
			all.Wait()
			posted.judge(x)
		}
		x.close(third)
		x.finish(other)
	},
}

// postUntilClosed starts jobs in these ways, and some more once the pool has refused one.
func (x *execution) postUntilClosed(p *pool.Pool, name string, posted *posts, ways []postWay) {
	r := x.Rand(name)
	for i := range x.sizes.jobs {
		way := &ways[r.IntN(len(ways))]
		if r.IntN(2) == 0 {
			way = &ways[0] // Go, for which the pool takes references for others in advance
		}
		closed := posted.refused.Load() // one of any poster
		err := posted.post(x, p, way, fmt.Sprintf("%s, post %d", name, i))
		if closed && err == nil {
			x.Fail(verdict.WrongResult, "%s, post %d: %s was taken after the pool had refused one with %v", name, i, way.name, pool.ErrClosed)
		}
		if errors.Is(err, pool.ErrClosed) {
			posted.refused.Store(true)
		}
	}
}
