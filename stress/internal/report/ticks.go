package report

import "time"

// tickTime is the interval at which observers are notified of the progress.
const tickTime = 200 * time.Millisecond

// Ticks calls notify a few times a second until stopped is closed.
func Ticks(stopped <-chan struct{}, notify func()) {
	ticker := time.NewTicker(tickTime)
	defer ticker.Stop()
	for {
		select {
		case <-stopped:
			return
		case <-ticker.C:
			notify()
		}
	}
}
