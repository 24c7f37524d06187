package pool

import (
	"testing"

	"github.com/rouse-go/rouse/internal/proptest"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(proptest.Main(m)) }

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
