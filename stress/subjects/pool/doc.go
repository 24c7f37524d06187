// Package pool makes the pool of this module a subject of package stress: its parameters, its
// variants (the strategies of package sleep), its workloads, a file each, the oracles of its
// counters and queues, and the diagnosis of a pool that is stuck.
//
// It knows the pool as a user's program would know its own code, and uses nothing of stress but
// package subject. No other room of stress imports it; cmd/stress does.
package pool
