//go:build fixed

package queues

import "context"

func (b *Buffer) notify() { b.changed.Broadcast() }

// Wait waits until the latch is open.
func (l *Latch) Wait() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for !l.open.Load() {
		l.changed.Wait()
	}
}

// Open lets all go on.
func (l *Latch) Open() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open.Store(true)
	l.changed.Broadcast()
}

func (s *Stack) wait() {
	for len(s.jobs) == 0 {
		s.nonEmpty.Wait()
	}
}

// Submit adds a job.
func (w *Workers) Submit(job func()) error {
	w.mu.RLock()
	defer w.mu.RUnlock()
	if w.closed.Load() {
		return ErrClosed
	}
	w.jobs <- job
	return nil
}

// Close waits for all accepted jobs.
func (w *Workers) Close() {
	w.mu.Lock()
	w.closed.Store(true)
	close(w.jobs)
	w.mu.Unlock()
	w.wg.Wait()
}

// Publish sends a message to all subscribers that have room for it.
func (h *Hub) Publish(m string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, c := range h.subs {
		select {
		case c <- m:
		default: // it is too slow
		}
	}
}

// Offer adds an event if there is room, and never blocks.
func (r *Ring) Offer(event string) bool {
	select {
	case r.events <- event:
		return true
	default:
		return false
	}
}

// Put stores a file.
func (u *Uploads) Put(ctx context.Context, name string, data []byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case u.slots <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-u.slots }()
	if err := ctx.Err(); err != nil {
		return err
	}
	u.store(name, data)
	return nil
}

func (f *Feed) send(ctx context.Context, v int) bool {
	select {
	case f.C <- v:
		return true
	case <-ctx.Done():
		return false
	}
}

func newAnswer() chan string { return make(chan string, 1) }
