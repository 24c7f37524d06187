package chance

import (
	"crypto/hmac"
	"crypto/subtle"
	"testing"
)

// What is compared in constant time, by functions that are inlined here.
func TestConstantTime(t *testing.T) {
	a, b := []byte("secret"), []byte("Secret")
	if !hmac.Equal(a, a) || hmac.Equal(a, b) || subtle.ConstantTimeCompare(a, b) != 0 {
		t.Error("not equal to itself")
	}
	if subtle.ConstantTimeEq(1, 1) != 1 || subtle.ConstantTimeByteEq(1, 2) != 0 || subtle.ConstantTimeSelect(1, 2, 3) != 2 || subtle.ConstantTimeLessOrEq(2, 1) != 0 {
		t.Error("wrong")
	}
}
