//go:build !unix

package rows

import (
	"errors"

	"github.com/rouse-go/rouse/pool"
)

const noSleep = "a Unix system has it"

func sleepInSystemCall(*pool.Pool) (wake func() error, err error) { return nil, errors.New(noSleep) }
