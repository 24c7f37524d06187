//go:build !chaos

package remote

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/native"
)

// TestWithoutTheTag: all of it compiles, does nothing, and says so.
func TestWithoutTheTag(t *testing.T) {
	f := New()
	if err := f.Arm("p", "{at: remote/step, fault: yield}", false); !errors.Is(err, native.ErrNotChaos) {
		t.Errorf("Arm: %v", err)
	}
	if f.Disarm() || f.Status().Chaos || f.Status().Armed || len(points()) != 0 {
		t.Errorf("something is armed: %+v", f.Status())
	}
	for _, path := range []string{"/points", "/status", "/arm", "/disarm"} {
		code, v := ask(t, f, http.MethodPost, path, "")
		if said, _ := v["error"].(string); code != http.StatusNotImplemented || !strings.Contains(said, "built without -tags chaos") {
			t.Errorf("%s: %d %v", path, code, v)
		}
	}
}

// TestEnvWithoutTheTag: a service that was built for production continues.
func TestEnvWithoutTheTag(t *testing.T) {
	var errs strings.Builder
	t.Setenv(planEnv, "no such file")
	if code := New().enable(&errs); code != 0 || !strings.Contains(errs.String(), "built without -tags chaos") ||
		strings.Count(errs.String(), "\n") != 1 {
		t.Errorf("exit code %d, %s", code, &errs)
	}
}
