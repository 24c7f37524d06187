// Package leakprofile takes the profile of leaked goroutines, which Go 1.26 has with
// GOEXPERIMENT=goroutineleakprofile only.
package leakprofile
