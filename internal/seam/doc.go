// Package seam lies between the hook points in production code and the engine
// that acts at them: the vocabulary that both sides share (points, faults), the
// interface an engine implements (Engine, and Controller if it runs tasks one at a
// time), and the one engine that is installed.
//
// It imports the standard library and, in the chaos build, internal/self. Only hooks (which calls the
// engine) and the packages under chaos (which are engines, or arm them) may
// import it; a test enforces that.
package seam
