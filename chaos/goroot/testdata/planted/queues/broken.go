//go:build !fixed

package queues

import "context"

// One condition serves producers and consumers: the one notified may be the one that cannot go on.
func (b *Buffer) notify() { b.changed.Signal() }

// Wait looks without the lock: Open may come between the look and the wait.
func (l *Latch) Wait() {
	if l.open.Load() {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.changed.Wait()
}

// Open lets all go on.
func (l *Latch) Open() {
	l.open.Store(true)
	l.changed.Broadcast()
}

// wait does not look again: another worker may have been faster.
func (s *Stack) wait() {
	if len(s.jobs) == 0 {
		s.nonEmpty.Wait()
	}
}

// Submit looks first and sends then: Close may come in between.
func (w *Workers) Submit(job func()) error {
	if w.closed.Load() {
		return ErrClosed
	}
	w.jobs <- job
	return nil
}

// Close waits for all accepted jobs.
func (w *Workers) Close() {
	w.closed.Store(true)
	close(w.jobs)
	w.wg.Wait()
}

// Publish sends without the lock, so that a slow subscriber does not keep others: to a channel that
// may be closed by now.
func (h *Hub) Publish(m string) {
	h.mu.Lock()
	var subs []chan string
	for _, c := range h.subs {
		subs = append(subs, c)
	}
	h.mu.Unlock()
	for _, c := range subs {
		select {
		case c <- m:
		default: // it is too slow
		}
	}
}

// Offer never blocks, it says: the last room may be gone after the look.
func (r *Ring) Offer(event string) bool {
	if len(r.events) == cap(r.events) {
		return false
	}
	r.events <- event
	return true
}

// Put keeps its slot if the context has ended meanwhile.
func (u *Uploads) Put(ctx context.Context, name string, data []byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case u.slots <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	u.store(name, data)
	<-u.slots
	return nil
}

// send looks first: the consumer may leave between the look and the send.
func (f *Feed) send(ctx context.Context, v int) bool {
	if ctx.Err() != nil {
		return false
	}
	f.C <- v
	return true
}

// The answer has no room: it blocks the service if nobody waits any more.
func newAnswer() chan string { return make(chan string) }
