// Package burst hands messages to goroutines that wait for one, and to nobody else.
//
// A Sender gives each message to a Receiver that is waiting at that moment, or not at
// all: there is no queue, so the caller is told at once that all are busy, and can
// do the work itself, or shed it. What has been given out stays with its receivers
// asleep until Wake wakes all of them: a burst of messages is prepared
// first and then starts together.
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
//			serve(request) // nobody waits: do it here
//		}
//	}
//	s.Wake()
//
// It is what Rust's burst-pool is, without the defects of that. There all receivers
// sleep on one counter: who wakes first may take another's token, and then run a
// message that nobody has woken it for, find none, or leave the other asleep; and
// closing overwrites messages. Here each receiver has a wakeup of its own, a message is
// in its place before its receiver can see it, and every one that Enqueue accepted is
// received: by Wake, by Close, or because its receiver gives up waiting.
//
// No operation allocates but ReceiveContext, and the growth of a Sender's lists with the
// number of its receivers. It imports package hooks and those below it, and
// pool/internal/contexts; package pool knows nothing of it.
package burst
