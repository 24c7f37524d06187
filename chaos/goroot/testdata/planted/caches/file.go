package caches

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// A File is shared by all that have opened it. The last Close closes it.
type File struct {
	name   string
	refs   atomic.Int32
	closed atomic.Bool
}

// Read reads the file.
func (f *File) Read() string {
	if f.closed.Load() {
		panic(fmt.Sprintf("%s: read after close", f.name))
	}
	return "contents of " + f.name
}

// Close gives up a reference.
func (f *File) Close() {
	if f.refs.Add(-1) == 0 {
		f.closed.Store(true)
	}
}

// Files keeps the files that are open.
type Files struct {
	mu   sync.Mutex
	open map[string]*File
}

// Open returns a file, which is opened if it is not.
func (c *Files) Open(name string) *File {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f, ok := c.open[name]; ok && f.share() {
		return f
	}
	f := &File{name: name}
	f.refs.Store(1)
	if c.open == nil {
		c.open = map[string]*File{}
	}
	c.open[name] = f
	return f
}
