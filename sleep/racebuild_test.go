//go:build race && chaos

package sleep

// raceBuild: everything takes longer.
const raceBuild = true
