// Package burst hands messages to goroutines, or threads, that wait for one, and to no others.
//
// A Sender gives each message to a Receiver that is waiting at that moment, or not at all: there is
// no queue, so the caller learns at once that all are busy, and can do the work itself, or shed it.
// What has been given out stays with its receivers asleep until Wake wakes all of them: a burst of
// messages is prepared first and then starts together.
//
//	s := burst.NewSender[Request]()
//	for range workers {
//		r, _ := s.NewReceiver()
//		go func() {
//			for {
//				request, err := r.Receive()
//				if err != nil {
//					return // closed
//				}
//				serve(request)
//			}
//		}()
//	}
//	for _, request := range batch {
//		if err := s.Enqueue(request); err != nil {
//			serve(request) // none waits: do it here
//		}
//	}
//	s.Wake()
//
// A Receiver waits as a goroutine. NewThreadReceiver (Linux) makes one that sleeps below Go's
// scheduler, on an eventfd of its own, and which the kernel wakes. It is for senders that
// continue to compute after Wake; docs/wake-latency.md has figures and prices.
//
// The idea is that of Rust's burst-pool. Here each receiver has a wakeup of its own, a message is
// in its place before its receiver can see it, and every message that Enqueue accepted is
// received: by Wake, by Close, or because its receiver gives up waiting. pool/burst/internal/original lists
// the defects of the original.
//
// No operation allocates but ReceiveContext, and the growth of a Sender's lists with the number of
// its receivers. The package imports hooks and those below it, pool/internal/contexts, and
// golang.org/x/sys/unix; package pool knows nothing of it.
package burst
