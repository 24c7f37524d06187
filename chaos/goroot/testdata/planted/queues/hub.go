package queues

import "sync"

// A Hub sends messages to all subscribers.
type Hub struct {
	mu   sync.Mutex
	subs map[int]chan string
	next int
}

// Subscribe returns a channel of messages, and a function that ends the subscription.
func (h *Hub) Subscribe() (<-chan string, func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.subs == nil {
		h.subs = map[int]chan string{}
	}
	id := h.next
	h.next++
	c := make(chan string, 8)
	h.subs[id] = c
	return c, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if _, ok := h.subs[id]; ok {
			delete(h.subs, id)
			close(c)
		}
	}
}
