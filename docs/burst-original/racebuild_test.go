//go:build race && chaos

package original

// raceBuild: everything takes longer.
const raceBuild = true
