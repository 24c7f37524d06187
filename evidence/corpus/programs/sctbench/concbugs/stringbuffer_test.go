package concbugs

import (
	"sync"
	"testing"
)

// A text is a mutable string, whose methods are each under its lock.
type text struct {
	mu    sync.Mutex
	bytes []byte
}

func (x *text) length() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return len(x.bytes)
}

// first returns the first n bytes. There must be as many.
func (x *text) first(n int) []byte {
	x.mu.Lock()
	defer x.mu.Unlock()
	return append([]byte(nil), x.bytes[:n:len(x.bytes)]...)
}

func (x *text) truncate() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.bytes = nil
}

func (x *text) add(s string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.bytes = append(x.bytes, s...)
}

// all is append's way to read another text: its length, and then so much of it. It may be shorter by
// then.
func (x *text) all() []byte { return x.first(x.length()) }

// allFixed reads it at once.
func (x *text) allFixed() []byte {
	x.mu.Lock()
	defer x.mu.Unlock()
	return append([]byte(nil), x.bytes...)
}

func stringBuffer(all func(*text) []byte) {
	x := &text{bytes: []byte("abc")}
	var wg sync.WaitGroup
	wg.Go(func() { x.truncate(); x.add("abc") })
	var y text
	y.add(string(all(x)))
	wg.Wait()
}

func TestStringBuffer(t *testing.T)      { stringBuffer((*text).all) }
func TestStringBufferFixed(t *testing.T) { stringBuffer((*text).allFixed) }
