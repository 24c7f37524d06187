package groups

import "sync"

// A Table holds rows, each with the version of its last change.
type Table struct {
	size     int
	mu       sync.Mutex
	rows     map[int]string
	versions map[int]int
}

func NewTable(n int) *Table {
	t := &Table{size: n, rows: map[int]string{}, versions: map[int]int{}}
	for i := range n {
		t.rows[i] = "old"
	}
	return t
}

// Read returns a row and its version.
func (t *Table) Read(i int) (string, int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.rows[i], t.versions[i]
}

// Write changes a row, unless it is no longer at that version.
func (t *Table) Write(i int, row string, version int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.versions[i] != version {
		return false
	}
	t.rows[i] = row
	t.versions[i]++
	return true
}

// Migrate adds a suffix to all rows, at most limit at a time.
func (t *Table) Migrate(limit int) error {
	var g Group
	g.SetLimit(limit)
	for i := range t.size {
		g.Go(func() error { return t.migrate(&g, i) })
	}
	return g.Wait()
}
