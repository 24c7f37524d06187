package explore

import (
	"fmt"
	"testing"
)

// Catches: an execution that is read as another one than is written.
func FuzzParseExecution(f *testing.F) {
	for _, text := range []string{"42:17", "0x2a:17", "0X2A:0", "0x:1", ":", "1:-1", "18446744073709551615:2147483647", "18446744073709551616:1", "1:2147483648", "1:2:3", "+1:1", "1_0:1", ""} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		seed, n, ok := ParseExecution(text)
		if !ok {
			return
		}
		for _, format := range []string{"%d:%d", "%#x:%d", "0X%X:%d"} {
			written := fmt.Sprintf(format, seed, n)
			if s, m, ok := ParseExecution(written); !ok || s != seed || m != n || n < 0 {
				t.Fatalf("%q is %d:%d, and %q is %d:%d", text, seed, n, written, s, m)
			}
		}
	})
}
