//go:build !race

package stress

const raceBuild = false
