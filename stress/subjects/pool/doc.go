// Package pool makes the pool of this module a subject of package stress: its parameters, its
// variants (the strategies of package sleep), its workloads, a file each, the oracles of its
// counters and queues, and the diagnosis of a pool that is stuck.
//
// It uses the pool as any program would, and of stress only package subject and the words of
// internal/prose. Of the module, only cmd/stress and tests import it.
package pool
