package rayondemo

import (
	"context"
	"testing"

	"github.com/rouse-go/rouse/pool"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// inPools calls test with pools of one, two and three workers.
func inPools(t *testing.T, test func(t *testing.T, p *pool.Pool)) {
	for workers := 1; workers <= 3; workers++ {
		p, err := pool.New(workers)
		if err != nil {
			t.Fatal(err)
		}
		test(t, p)
		if err := p.Close(context.Background()); err != nil {
			t.Error(err)
		}
	}
}
