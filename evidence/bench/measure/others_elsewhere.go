//go:build !linux

package measure

import "time"

// No other system is asked.
func busy() time.Duration          { return 0 }
func processCPU(int) time.Duration { return 0 }
func childrenCPU() time.Duration   { return 0 }
func processors() int              { return 1 }
