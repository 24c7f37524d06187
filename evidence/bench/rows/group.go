package rows

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	conc "github.com/sourcegraph/conc/pool"
	"golang.org/x/sync/errgroup"

	"github.com/rouse-go/rouse/evidence/bench/peers"
	"github.com/rouse-go/rouse/evidence/bench/porting"
	"github.com/rouse-go/rouse/internal/private"
	"github.com/rouse-go/rouse/pool"
)

// A groupKind is a way to run jobs that return errors.
type groupKind struct {
	name string
	// flood starts n empty jobs, and waits for them.
	flood func(p *pool.Pool, n int) error
	// tree starts two trees of depth-1, and waits for them; a tree of depth 0 is a leaf. It
	// returns the number of leaves.
	tree func(p *pool.Pool, depth int) (leaves int, err error)
}

// group compares the cost of groups of jobs with errors to that of others' groups. None has a limit: a
// limited group of goroutines deadlocks if jobs wait for groups of their own.
func (s *Setup) group() []peers.Row {
	const (
		workers = 2
		perJob  = "ns/job"
	)
	n := float64(s.Jobs)
	started := peers.Row{
		Name:    "group/started",
		About:   fmt.Sprintf("%d jobs of one group that return nil, from one goroutine; %d workers. Until all are done.", s.Jobs, workers),
		Metrics: []string{perJob},
	}
	jobs := float64(int(2)<<s.GroupDepth - 2)
	nested := peers.Row{
		Name:    "group/nested",
		About:   fmt.Sprintf("%.0f jobs, of which each starts a group of two and waits for it, %d deep; %d workers.", jobs, s.GroupDepth, workers),
		Metrics: []string{perJob},
	}
	for _, kind := range []groupKind{
		{"rouse", floodGroup, treeGroup},
		{"errgroup", floodErrgroup, treeErrgroup},
		{"conc", floodConc, treeConc},
	} {
		started.Contestants = append(started.Contestants, peers.Contestant{Name: kind.name, Turn: inPool(workers, func(p *pool.Pool) (peers.Figures, error) {
			return timed(perJob, n, func() error { return kind.flood(p, s.Jobs) })
		})})
		nested.Contestants = append(nested.Contestants, peers.Contestant{Name: kind.name, Turn: inPool(workers, func(p *pool.Pool) (peers.Figures, error) {
			return timed(perJob, jobs, func() error {
				leaves, err := kind.tree(p, s.GroupDepth)
				if err != nil {
					return err
				}
				return exactly(float64(int(1) << s.GroupDepth))(float64(leaves))
			})
		})})
	}
	others := []string{"errgroup", "conc"}
	for _, row := range []*peers.Row{&started, &nested} {
		row.Bounds = []peers.Bound{{What: row.Name, Of: "rouse", Metric: perJob, Over: others, Limit: 1}}
	}
	return []peers.Row{started, nested, s.hasher()}
}

func nothing(*pool.Worker) error { return nil }

func floodGroup(p *pool.Pool, n int) error {
	g, _ := p.Group(context.Background())
	for range n {
		g.Go(nothing)
	}
	return g.Wait()
}

func floodErrgroup(_ *pool.Pool, n int) error {
	g, _ := errgroup.WithContext(context.Background())
	for range n {
		g.Go(func() error { return nil })
	}
	return g.Wait()
}

func floodConc(_ *pool.Pool, n int) error {
	g := conc.New().WithErrors().WithContext(context.Background())
	for range n {
		g.Go(func(context.Context) error { return nil })
	}
	return g.Wait()
}

func treeGroup(p *pool.Pool, depth int) (int, error) {
	if depth == 0 {
		return 1, nil
	}
	var leaves [2]int
	g, _ := p.Group(context.Background())
	for i := range leaves {
		g.Go(func(*pool.Worker) (err error) {
			leaves[i], err = treeGroup(p, depth-1)
			return err
		})
	}
	err := g.Wait()
	return leaves[0] + leaves[1], err
}

func treeErrgroup(p *pool.Pool, depth int) (int, error) {
	if depth == 0 {
		return 1, nil
	}
	var leaves [2]int
	g, _ := errgroup.WithContext(context.Background())
	for i := range leaves {
		g.Go(func() (err error) {
			leaves[i], err = treeErrgroup(p, depth-1)
			return err
		})
	}
	err := g.Wait()
	return leaves[0] + leaves[1], err
}

func treeConc(p *pool.Pool, depth int) (int, error) {
	if depth == 0 {
		return 1, nil
	}
	var leaves [2]int
	g := conc.New().WithErrors().WithContext(context.Background())
	for i := range leaves {
		g.Go(func(context.Context) (err error) {
			leaves[i], err = treeConc(p, depth-1)
			return err
		})
	}
	err := g.Wait()
	return leaves[0] + leaves[1], err
}

// hasher compares both sides of the program of "coming from errgroup".
func (s *Setup) hasher() peers.Row {
	const perFile = "ns/file"
	row := peers.Row{
		Name:    "group/hasher",
		About:   fmt.Sprintf("Checksums of %d files of %d KiB, which the system has cached, at most 16 at a time: the program of docs/coming-from.md.", s.Hashed, fileSize>>10),
		Metrics: []string{perFile},
		Bounds:  []peers.Bound{{What: "hasher", Of: "rouse", Metric: perFile, Over: []string{"errgroup"}, Limit: 1}},
	}
	for _, kind := range []struct {
		name string
		hash func(ctx context.Context, root string) (porting.Sums, error)
	}{
		{"rouse", porting.HashGroup},
		{"errgroup", porting.HashErrgroup},
	} {
		row.Contestants = append(row.Contestants, peers.Contestant{Name: kind.name, Turn: func(ctx context.Context) (peers.Figures, error) {
			root, remove, err := private.Temporary("hasher")
			if err != nil {
				return nil, err
			}
			defer func() { _ = remove() }()
			for i := range s.Hashed {
				content := make([]byte, fileSize)
				copy(content, strconv.Itoa(i))
				if err := os.WriteFile(filepath.Join(root, strconv.Itoa(i)), content, 0o600); err != nil {
					return nil, err
				}
			}
			if _, err := kind.hash(ctx, root); err != nil {
				return nil, err
			}
			return timed(perFile, float64(s.Hashed), func() error {
				sums, err := kind.hash(ctx, root)
				if err != nil {
					return err
				}
				return exactly(float64(s.Hashed))(float64(len(sums)))
			})
		}})
	}
	return row
}
