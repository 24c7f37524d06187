package scenario

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/rouse-go/rouse/stress/internal/fixture"
	"github.com/rouse-go/rouse/stress/subject"
	"github.com/rouse-go/rouse/stress/subjects/burst"
	"github.com/rouse-go/rouse/stress/subjects/pool"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// testSubjects are the subjects of the scenarios in tests.
var testSubjects = []subject.Subject{pool.Subject(), burst.Subject()}

func poolSubject() subject.Subject { return testSubjects[0] }

// sized is the scenario with other parameters: of its workload, or, if it has no such
// size, of its subject.
func sized(sc Scenario, pairs ...string) Scenario {
	sc.Sizes, sc.Setup = fixture.Sized(sc.Sizes, sc.Setup, pairs...)
	return sc
}
