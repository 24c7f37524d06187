package faketest

import (
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestOutcomes(t *testing.T) {
	for name, c := range map[string]struct {
		f      func(t *Test)
		failed bool
		log    string
	}{
		"returns": {func(*Test) {}, false, ""},
		"Logf":    {func(t *Test) { t.Logf("%s %d", t.Name(), 1); t.Logf("two") }, false, "Logf 1\ntwo\n"},
		"Fail":    {func(t *Test) { t.Fail(); t.Logf("goes on") }, true, "goes on\n"},
		"FailNow": {func(t *Test) { t.FailNow(); t.Logf("goes on") }, true, ""},
		"Fatalf":  {func(t *Test) { t.Fatalf("%d", 1); t.Logf("goes on") }, true, "1\n"},
	} {
		if got := Run(name, c.f); got.Failed() != c.failed || got.Log != c.log {
			t.Errorf("%s: failed: %v, %q; want %v, %q", name, got.Failed(), got.Log, c.failed, c.log)
		}
	}
}
