package pool

import (
	"context"
	"testing"

	"github.com/rouse-go/rouse/internal/proptest"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(closesDefault{proptest.Main(m)}) }

// closesDefault closes the default pool, which groups may have started, behind all tests.
type closesDefault struct{ goleak.TestingM }

func (m closesDefault) Run() int {
	code := m.TestingM.Run()
	if defaultPool.p != nil {
		_ = defaultPool.p.Close(context.Background())
	}
	return code
}

// numbered is a job that only has a number.
type numbered int

func (numbered) run(*Worker)             {}
func (numbered) finish(*Worker, outcome) {}

func newNumbered(n int) *job { return &job{task: numbered(n)} }

// none is the number of no job.
const none = -1

// numberOf returns the job's number.
func numberOf(j *job) int {
	if j == nil {
		return none
	}
	if t, ok := j.task.(*numberedFork); ok {
		return t.n
	}
	return int(j.task.(numbered))
}
