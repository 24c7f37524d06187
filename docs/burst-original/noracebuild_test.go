//go:build !race && chaos

package original

const raceBuild = false
