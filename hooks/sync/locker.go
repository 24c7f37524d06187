package sync

import "sync"

// Locker is [sync.Locker], in both builds: whatever locks there serves here, and
// the other way round.
type Locker = sync.Locker
