// Package channel has the operations on channels as functions, so that a test can observe them:
// no alias can replace a send.
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
// A select with a default has channel.Default as its last case, and returns channel.None if that
// is taken.
//
// # Normal build
//
// The functions are inlined to the operations: the same machine instructions. Select is not: it
// allocates once for each case but Default, and takes up to twice as long as the statement. If
// none of several cases is ready it uses package reflect, and takes two to three times as long.
// To measure it:
//
//	go test -run '^$' -bench Select ./hooks/channel
//
// # Chaos build
//
// With the build tag "chaos" each operation passes points (points.go) around the real one. Faults
// can only delay and yield: Go's channels lose nothing. Under chaos/control the channel is
// modelled: the engine knows which tasks wait for it, and explores which of several ready cases
// a select takes. It sees only what goes through this package: a plain send on the same channel
// wakes no task that waits here.
//
// This package imports internal/seam and the standard library. The packages under chaos must not
// import it.
package channel
