// Package chess has the work-stealing queues of SCTBench's group "chess". They follow Cilk's THE
// protocol: the owner pushes and pops at the tail, thieves take a lock and steal at the head.
package chess
