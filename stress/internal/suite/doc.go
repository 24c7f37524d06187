// Package suite runs a module's own tests, each under many schedules: stress test. The module is not
// changed. Its packages are built with go test -c and the overlay of package goroot, and the test
// binaries run as workers, which package wire describes.
//
// The executions of a test are numbered and dealt to the workers in batches. What a batch finds
// depends on its number only, and of several failures the one with the lowest number counts: so the
// findings do not depend on how many workers there are. A worker runs batches of one test, and is
// replaced when something has failed. A failure counts only if other workers can repeat it exactly;
// a test with one that they cannot is uncontrolled.
//
// It imports packages chaos/goroot, wire, recording, strategy and verdict, and the packages of stress
// that print results; package command imports it.
package suite
