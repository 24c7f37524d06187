package queues

// A Ring keeps the first events, and drops those for which there is no room.
type Ring struct{ events chan string }

func NewRing(n int) *Ring { return &Ring{events: make(chan string, n)} }

// Events returns what was kept.
func (r *Ring) Events() (events []string) {
	close(r.events)
	for e := range r.events {
		events = append(events, e)
	}
	return events
}
