//go:build !linux

package measure

import "time"

// The processor time of others is unknown on these systems.
func busy() time.Duration          { return 0 }
func processCPU(int) time.Duration { return 0 }
func childrenCPU() time.Duration   { return 0 }
func processors() int              { return 1 }
