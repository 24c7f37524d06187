package subject

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/verdict"
)

// TestParamOfAnotherKind: asking for one is a defect of the program.
func TestParamOfAnotherKind(t *testing.T) {
	v := NewValues([]Param{
		Count{Name: "count", Default: 4, Most: 9}, Span{Name: "span", Most: 1, Zero: true},
		Choice{Name: "choice", Of: []string{"first", "last"}, Default: "first"}, Switch{Name: "switch"},
	}, nil, "", false)
	for want, ask := range map[string]func(){
		"no subject.Count called span":    func() { v.Count("span") },
		"no subject.Span called count":    func() { v.Span("count") },
		"no subject.Choice called swich":  func() { v.Choice("swich") },
		"no subject.Switch called choice": func() { v.Switch("choice") },
	} {
		func() {
			defer func() {
				if p := fmt.Sprint(recover()); !strings.Contains(p, want) {
					t.Errorf("%s, want %s", p, want)
				}
			}()
			ask()
		}()
	}
}

// TestFindingsAreBounded: what each of many jobs sees is not reported by all of them.
func TestFindingsAreBounded(t *testing.T) {
	var x Execution
	for range 10 * maxFindings {
		x.Fail(verdict.Invariant, "again")
	}
	if n := len(x.Findings()); n != maxFindings {
		t.Errorf("%d findings, want %d", n, maxFindings)
	}
}
