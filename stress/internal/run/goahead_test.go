package run

import (
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/scenario"
)

// TestGoAhead: a child runs nothing that the parent has not taken down.
func TestGoAhead(t *testing.T) {
	var got []string
	goAhead := make(chan struct{})
	r := Request{Scenario: scripted("a", verdict.Pass, "pass pass leak"), Most: 9, Waits: true}
	ran := func(sc *scenario.Scenario, seed uint64, n int, alive func()) outcome.Result {
		got = append(got, "run")
		return actOut(sc, seed, n, alive)
	}
	r.run(ran, func(m Message) {
		if m.Begin != nil {
			got = append(got, "begin")
			n := len(got)
			go func() {
				if len(got) != n {
					t.Error("it ran before the parent let it")
				}
				goAhead <- struct{}{}
			}()
		}
	}, goAhead)
	if s := strings.Join(got, " "); s != "begin run begin run begin run" {
		t.Errorf("got %s", s)
	}
}
