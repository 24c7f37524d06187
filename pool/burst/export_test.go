package burst

// Open reports whether r has a file descriptor. No Receive may be in progress.
func (r *Receiver[T]) Open() bool { return r.thread != nil && !r.retired }
