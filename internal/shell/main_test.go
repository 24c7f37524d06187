package shell_test

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/rouse-go/rouse/internal/proptest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(proptest.Main(m)) }
