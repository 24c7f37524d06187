//go:build race && chaos

package burst_test

// raceBuild: everything takes longer.
const raceBuild = true
