package yamltree

import "time"

// A Value is the value of a key, with the methods of Reader for callers that do not handle nodes.
// Messages name its key.
type Value struct {
	r   *Reader
	n   Node
	key string
}

// Get returns the value of a key, and whether the key is present.
func (f *Fields) Get(key string) (Value, bool) {
	v, ok := f.byKey[key]
	return Value{f.r, v.value, key}, ok
}

// Text is Reader.Text.
func (v Value) Text() string { return v.r.Text(v.n, v.key) }

// Texts is Reader.Texts, of any texts.
func (v Value) Texts() []string {
	return v.r.Texts(v.n, v.key, func(n Node) string { return v.r.Text(n, v.key) })
}

// Number is Reader.Number.
func (v Value) Number(low, high int64) int64 { return v.r.Number(v.n, v.key, low, high) }

// Unsigned is Reader.Unsigned.
func (v Value) Unsigned() uint64 { return v.r.Unsigned(v.n, v.key) }

// Fraction is Reader.Fraction.
func (v Value) Fraction() float64 { return v.r.Fraction(v.n, v.key) }

// Duration is Reader.Duration.
func (v Value) Duration() time.Duration { return v.r.Duration(v.n, v.key) }

// Durations is Reader.Durations.
func (v Value) Durations() (low, high time.Duration) { return v.r.Durations(v.n, v.key) }

// Written is Reader.Written.
func (v Value) Written() string { return v.r.Written(v.n) }

// Fail is Reader.Fail.
func (v Value) Fail(format string, args ...any) { v.r.Fail(v.n, format, args...) }

// FailElement is Fail at the i-th of the elements that Texts reads, from 0.
func (v Value) FailElement(i int, format string, args ...any) {
	n := v.n
	if v.r.IsList(n) {
		n = v.r.Elements(n, v.key)[i]
	}
	v.r.Fail(n, format, args...)
}
