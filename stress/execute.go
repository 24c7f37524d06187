package stress

// This file stands in until the executor is written: it executes nothing.

// A Workload is what is done to the subject.
type Workload struct {
	Name, About string
	// Uses are the keys of the sizes that the workload takes.
	Uses []string
}

// Workloads lists the workloads, by name.
func Workloads() []Workload {
	return []Workload{
		{Name: "inject", About: "Injectors against idle workers.", Uses: []string{"jobs", "injectors", "pause"}},
		{Name: "join", About: "Join, recursively.", Uses: []string{"depth", "repeat"}},
	}
}

// execute runs execution n of the scenario and judges it. It never hangs. After
// a verdict that leaves goroutines behind the process must not execute again.
func execute(sc *Scenario, campaignSeed uint64, n int) Result {
	r := Result{Execution: n, Seed: executionSeed(campaignSeed, sc.Name, n), Verdict: Pass}
	r.Workers = sc.Pool.Workers[n%len(sc.Pool.Workers)]
	for _, f := range sc.Plan {
		r.Faults = append(r.Faults, FaultCount{At: f.At, Kind: f.Kind.String(), Hits: 1, Fires: 1})
	}
	return r
}
