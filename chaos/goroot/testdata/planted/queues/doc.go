// Package queues passes values between goroutines. Without the tag fixed its components have the
// defects of broken.go; with it, those of fixed.go.
package queues
