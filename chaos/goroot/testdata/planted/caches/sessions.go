package caches

import (
	"sync"
	"sync/atomic"
)

// A Session counts the visits of a user.
type Session struct{ Visits atomic.Int64 }

// Sessions has a session for each user.
type Sessions struct{ byUser sync.Map }
