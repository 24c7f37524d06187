// Package channel is the channel operations as functions, so that a test can see
// them: no alias can stand for a send.
//
//	c <- v                       channel.Send(c, v)
//	v := <-c                     v := channel.Receive(c)
//	v, ok := <-c                 v, ok := channel.ReceiveOK(c)
//	close(c)                     channel.Close(c)
//	for v := range c             for v := range channel.Range(c)
//	len(c), cap(c)               channel.Len(c), channel.Cap(c)
//
//	select {                     switch channel.Select(channel.OnReceive(c, &v, &ok), channel.OnSend(d, x)) {
//	case v, ok = <-c:            case 0:
//	case d <- x:                 case 1:
//	}                            }
//
// A select with a default has channel.Default as its last case, and is
// channel.None if that is taken.
//
// # Normal build
//
// The functions are the operations, inlined: the same machine instructions. Select is
// not: it is a function, allocates once for each case but Default, and takes up to twice
// as long as the statement. If none of several cases is ready it goes through package
// reflect: it then takes two to three times as long, and allocates again. To measure it:
//
//	go test -run '^$' -bench Select ./hooks/channel
//
// # Chaos build
//
// With the build tag "chaos" each operation passes points (see points.go) beside
// the real one. Faults can only delay and yield: Go's channels lose nothing.
// Under a controller (chaos/control) the channel is modelled: who waits for it is
// known, and which of several ready cases a select takes is explored. Only what
// goes through this package is seen then: a plain send on the same channel wakes
// nobody who waits here.
//
// This package imports hooks, internal/seam and the standard library. Production
// code may import it; the packages under chaos must not.
package channel
