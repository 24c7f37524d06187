// Package queue is a bounded queue with hook points of its own: an example of code that
// a user of rouse torments with a program of his own, which is in the folder stress.
//
//	go build -tags chaos -o bin/queue-stress ./examples/queue/stress
//	bin/queue-stress run
//	bin/queue-stress run --file examples/queue/stress/surprise.yaml   # the defect, as a user meets it
//	bin/queue-stress replay rouse-out/*.min.rouse --times 10          # what run has shrunk
//	bin/queue-stress explain rouse-out/*.min.rouse
//
// Synchronisation is by the drop-ins of hooks/sync, so that it runs under control; in
// the normal build these are the standard package's own types, and all of hooks is nothing.
package queue
