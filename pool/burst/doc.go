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
// # Threads
//
// A woken goroutine is in the queue of its waker's P, from where others steal it only after a
// pause: while the waker computes on, it waits. NewThreadReceiver (Linux) makes a receiver that
// sleeps below the scheduler, on an eventfd of its own, and which the kernel wakes. It is for
// senders that go on computing after Wake:
//
//	sender       goroutine   thread    median from Enqueue to received, 2 cores
//	computes on  59-88 µs    2-8 µs
//	then blocks  4.5-4.7 µs  2.1-2.2 µs
//
//	go test -run '^$' -bench Latency ./pool/burst
//
// With other habits of sender and receiver the kernel may put a thread on the core of its waker,
// and then it waits, too: docs/seeds.md has such figures. Try it with yours.
//
// The price of each is a file descriptor, and a thread while it waits. Wake makes one system call
// for each thread receiver that it wakes, a write(2), 3 µs; for goroutine receivers, or if nothing
// was enqueued, it makes none itself. (The scheduler may, to wake a thread of its own.) A woken
// thread needs a P to run Go code again: if GOMAXPROCS goroutines compute without a pause, it waits
// for one as any goroutine does.
//
// # Provenance
//
// It is what Rust's burst-pool is, without the defects of that. There all receivers sleep on one
// counter: the first to wake may take another's token, and then run a message without a wake, find
// none, or leave the other asleep; and closing overwrites messages. Here each receiver has a wakeup
// of its own, a message is in its place before its receiver can see it, and every one that Enqueue
// accepted is received: by Wake, by Close, or because its receiver gives up waiting.
//
// No operation allocates but ReceiveContext, and the growth of a Sender's lists with the number of
// its receivers. It imports package hooks and those below it, pool/internal/contexts, and
// golang.org/x/sys/unix; package pool knows nothing of it.
package burst
