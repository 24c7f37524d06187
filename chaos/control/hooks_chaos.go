//go:build chaos

package control

import (
	"github.com/rouse-go/rouse/chaos/internal/core"
	"github.com/rouse-go/rouse/chaos/internal/hooked"
)

// installHooks installs an engine behind package hooks.
func installHooks(shared core.Options, o Options) (*core.Engine, error) {
	return hooked.New(hooked.Options{Options: shared, Switch: o.Switch, Memory: o.Memory, WithoutFences: o.WithoutFences})
}
