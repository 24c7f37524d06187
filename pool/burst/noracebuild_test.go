//go:build !race && chaos

package burst_test

const raceBuild = false
