package timers

import "time"

// A Reader receives messages, with one timer for all of its time limits.
type Reader struct {
	in    <-chan string
	timer *time.Timer
}

func NewReader(in <-chan string) *Reader {
	r := &Reader{in: in, timer: time.NewTimer(time.Hour)}
	r.timer.Stop()
	return r
}

// Next returns the next message, or that none has come in time.
func (r *Reader) Next(limit time.Duration) (message string, ok bool) {
	r.timer.Reset(limit)
	select {
	case message, ok = <-r.in:
	case <-r.timer.C:
	}
	r.stop()
	return message, ok
}
