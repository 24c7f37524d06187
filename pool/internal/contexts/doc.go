// Package contexts is what of package context the pools use that a controlled test has to see.
//
// It imports the standard library, and hooks/context in the chaos build. Only what lies below pool
// imports it.
package contexts
