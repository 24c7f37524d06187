package burst

// Open reports whether r has a file descriptor. Nobody may be receiving from it.
func (r *Receiver[T]) Open() bool { return r.thread != nil && !r.retired }
