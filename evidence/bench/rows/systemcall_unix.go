//go:build unix

package rows

import (
	"syscall"

	"github.com/rouse-go/rouse/pool"
)

// noSleep is why no worker can be put to sleep in a system call here.
const noSleep = ""

// sleepInSystemCall puts a worker to sleep in a read of a pipe that the runtime's poller does not
// handle. It returns when a worker is about to sleep; wake ends it.
func sleepInSystemCall(p *pool.Pool) (wake func() error, err error) {
	var pipe [2]int
	if err := syscall.Pipe(pipe[:]); err != nil {
		return nil, err
	}
	begun, ended := make(chan struct{}), make(chan error, 1)
	err = p.Go(func(*pool.Worker) {
		close(begun)
		_, err := syscall.Read(pipe[0], make([]byte, 1)) // ends when the other end is closed
		syscall.Close(pipe[0])
		ended <- err
	})
	if err != nil {
		syscall.Close(pipe[0])
		syscall.Close(pipe[1])
		return nil, err
	}
	<-begun
	return func() error {
		if err := syscall.Close(pipe[1]); err != nil {
			return err
		}
		return <-ended
	}, nil
}
