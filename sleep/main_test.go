package sleep

import (
	"testing"

	"github.com/rouse-go/rouse/internal/proptest"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(proptest.Main(m)) }
