package settings

import (
	"math/rand"
	randv2 "math/rand/v2"
	"runtime"
	"testing"
)

func init() { rand.Seed(randv2.Int64()) }

var was int // what the first execution of the process has drawn

// Each execution draws the same as the first one, where Seed has an effect.
func TestSeededOutside(t *testing.T) {
	is := rand.Int()
	if was == 0 {
		was = is
	}
	if is != was || rand.Int() == is {
		t.Error(is, "is drawn, and not", was)
	}
	for range is % 16 {
		runtime.Gosched()
	}
}
