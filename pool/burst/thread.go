package burst

// A thread receiver is a Receiver that sleeps on an eventfd of its own. A wait of it ends with
// exactly one token:
//
//	T1  what ends the wait (W2, D2, L1, a context) sees under mu that nothing has before
//	T2  ... and writes a token when it has released mu
//	T3  the receiver reads the token, and only then takes mu and what it has been given
//
// By T2 a woken receiver does not run into the lock of its waker: that would put it to sleep a
// second time, in the scheduler. By T3 no token is left for a later wait, and no writer for a
// descriptor that is closed.

// NewThreadReceiver returns another receiver, whose Receive puts the thread that it runs on to
// sleep in the kernel, and not only the goroutine in the scheduler. It sleeps on an eventfd of its
// own: a file descriptor, which Close gives back, or Leave, or the wait that they end; nothing else
// does. It is otherwise like any Receiver, and can be mixed with them.
//
// See the package's documentation for when this is the faster one. Each that waits costs a thread
// (debug.SetMaxThreads: 10,000). The goroutine is on its thread as long as it waits;
// runtime.LockOSThread, if the caller has called it, keeps it there between.
//
// It returns ErrClosed; what eventfd(2) fails with, as *os.SyscallError: EMFILE, if the process has
// too many files open; and elsewhere than on Linux errors.ErrUnsupported.
func (s *Sender[T]) NewThreadReceiver() (*Receiver[T], error) {
	thread, err := newEventfd()
	if err != nil {
		return nil, err
	}
	r, err := s.add(&Receiver[T]{thread: thread})
	if err != nil {
		thread.close()
	}
	return r, err
}

// park is R2 of a thread receiver, under mu, while it is asleep: then a token is sure to come.
func (r *Receiver[T]) park() {
	r.mu.Unlock()
	defer r.mu.Lock()
	at(pointThreadParks)
	r.thread.wait() // T3
	at(pointThreadWoken)
}

// unlock releases mu, and wakes a thread whose wait the caller has ended.
func (r *Receiver[T]) unlock(ends bool) {
	r.mu.Unlock()
	if ends {
		at(pointThreadPost)
		r.thread.signal() // T2
	}
}

// retire closes the descriptor of a receiver that will not wait again.
func (r *Receiver[T]) retire() {
	if r.thread != nil && !r.retired {
		r.retired = true
		r.thread.close()
	}
}
