//go:build chaos

package scenario

import (
	"strings"
	"testing"
)

const clockFile = `version: 1
scenarios:
  - {name: a, about: b, mode: control, clock: racy, pool: {workers: [1]}, workload: join, expect: pass}
`

func TestClockRefused(t *testing.T) {
	for text, want := range map[string]string{
		strings.Replace(clockFile, "clock: racy", "clock: rcay", 1):                `unknown clock "rcay"; did you mean "racy"?`,
		strings.Replace(clockFile, "mode: control, clock: racy", "clock: racy", 1): "clock: found it in a native scenario",
	} {
		if _, err := Load("clock.yaml", []byte(text), testSubjects...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
