package scenario

import (
	"github.com/rouse-go/rouse/internal/yamltree"
)

// A fieldReader reads the value of a key.
type fieldReader struct {
	key  string
	read func(yamltree.Node)
}

// fields reads a mapping that has some of the keys of the readers, and no others; each
// then reads their values.
func (l *loader) fields(n yamltree.Node, what string, reads []fieldReader) *yamltree.Fields {
	return l.Fields(n, what, keysOf(reads))
}

// each calls the readers of the keys that are there, in their order, up to the first error.
func (l *loader) each(f *yamltree.Fields, reads []fieldReader) {
	for _, r := range reads {
		if f.Has(r.key) && l.Err == nil {
			r.read(f.Value(r.key))
		}
	}
}

// keysOf lists the keys of the readers: what a mapping may hold.
func keysOf(reads []fieldReader) []string {
	var keys []string
	for _, r := range reads {
		keys = append(keys, r.key)
	}
	return keys
}
