// Package bench has Go benchmarks of what command seeds makes tables of, for
// benchstat. It is the room of a module of its own: what rouse is measured with
// stays out of rouse's go.mod, and nothing of rouse imports it.
package bench
