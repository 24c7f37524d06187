package queues

import "sync"

// Uploads stores files, a few at a time.
type Uploads struct {
	slots chan struct{}
	mu    sync.Mutex
	files map[string][]byte
}

func NewUploads(n int) *Uploads {
	return &Uploads{slots: make(chan struct{}, n), files: map[string][]byte{}}
}

func (u *Uploads) store(name string, data []byte) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.files[name] = data
}

// Has reports whether a file is stored.
func (u *Uploads) Has(name string) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	_, ok := u.files[name]
	return ok
}
