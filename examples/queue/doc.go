// Package queue is a bounded queue with its own hook points: an example of user code. The program in
// the folder stress runs rouse's scenarios on it.
//
//	go build -tags chaos -o bin/queue-stress ./examples/queue/stress
//	bin/queue-stress run
//	bin/queue-stress run --file examples/queue/stress/surprise.yaml   # finds the defect
//	bin/queue-stress replay rouse-out/*.min.rouse --times 10          # the shrunk schedule
//	bin/queue-stress explain rouse-out/*.min.rouse
//
// It uses the drop-ins of hooks/sync, so that it runs under control. In the normal build these are the
// types of the standard library, and hooks compiles to nothing.
package queue
