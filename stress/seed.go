package stress

import "math/bits"

// executionSeed is the seed of execution n of a scenario in a campaign: a hash
// of all three, the same on every machine and in every version. Executions are
// therefore independent of the order and of the process in which they are run.
func executionSeed(campaign uint64, scenario string, n int) uint64 {
	h := mix(campaign ^ 0x9e3779b97f4a7c15)
	for i := range len(scenario) {
		h = (h ^ uint64(scenario[i])) * 0x100000001b3 // FNV-1a
	}
	return mix(mix(h) + bits.RotateLeft64(uint64(n), 32) + 0x9e3779b97f4a7c15)
}

// mix is the finaliser of splitmix64 (Steele, Lea, Flood 2014): every bit of x
// reaches every bit of the result.
func mix(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}
