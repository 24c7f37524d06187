package seam

import "unsafe"

// At passes the point. With no engine installed, that costs one atomic load, as
// every function below.
func (p *Point) At() {
	if e := Installed(); e != nil {
		e.At(p)
	}
}

// Notify returns how often to send the notification at p.
func (p *Point) Notify() int {
	if e := Installed(); e != nil {
		return e.Notify(p)
	}
	return 1
}

// Fail reports whether the operation at p is to be taken for failed.
func (p *Point) Fail() bool {
	if e := Installed(); e != nil {
		return e.Fail(p)
	}
	return false
}

// Operate announces an atomic operation on x, whose point is p.
func Operate(p *Point, x unsafe.Pointer, a Access) {
	if c := Controlled(); c != nil {
		c.Access(p, x, a)
		return
	}
	p.At()
}

// Swapped tells how the compare-and-swap announced last turned out, and returns it.
func Swapped(ok bool) bool {
	if c := Controlled(); c != nil {
		c.Swapped(ok)
	}
	return ok
}
