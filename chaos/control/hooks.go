//go:build !chaos

package control

import (
	"errors"

	"github.com/rouse-go/rouse/chaos/internal/core"
)

var errNotChaos = errors.New("control: this binary was built without -tags chaos, so its hooks do nothing; build with -tags chaos")

func installHooks(core.Options, Options) (*core.Engine, error) { return nil, errNotChaos }
