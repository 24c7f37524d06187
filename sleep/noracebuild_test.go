//go:build !race && chaos

package sleep

const raceBuild = false
