package pool

import (
	"fmt"
	"testing"

	"go.uber.org/goleak"

	"github.com/rouse-go/rouse/stress/scenario"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// parallel is a native scenario about that workload, with its own sizes.
func parallel(t *testing.T, w workload, workers int) scenario.Scenario {
	return scenario.Scenario{Name: t.Name(), Subject: "pool", Workload: w.name, Setup: map[string]string{"workers": fmt.Sprint(workers)}}
}

// prepared is an execution of a workload that the test runs step by step.
func prepared(sc scenario.Scenario, w workload) *execution {
	s := target([]workload{w}).Subject()
	return newExecution(s.Workloads[0].Execution(sc.Values(&s, 0), 1))
}
