//go:build chaos

package campaign

import (
	"fmt"
	"strings"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress/scenario"
)

// tiny is a controlled scenario with a small pool.
func tiny(workload, strategy string, workers ...int) scenario.Scenario {
	return scenario.Scenario{
		Name: "tiny-" + workload, About: "x", Mode: scenario.Control, Strategy: strategy, Workload: workload, Expect: verdict.Pass,
		Subject: "pool", Setup: map[string]string{
			"workers": strings.ReplaceAll(fmt.Sprint(workers), " ", scenario.ListSeparator), "jec-bits": "1", "deque-capacity": "2", "rounds": "0",
		},
	}
}
