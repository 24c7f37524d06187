package process

import (
	"strings"
	"testing"
)

func TestEndsAreKept(t *testing.T) {
	var e Ends
	e.Write([]byte("first\n"))
	for range 40 {
		e.Write([]byte(strings.Repeat("x", 10<<10)))
	}
	e.Write([]byte("last"))
	got := e.String()
	if !strings.HasPrefix(got, "first\n") || !strings.HasSuffix(got, "last") || len(got) > keepHead+keepTail+100 ||
		!strings.Contains(got, " bytes left out ...") {
		t.Errorf("%d bytes: %.20q ... %q", len(got), got, got[len(got)-20:])
	}
}
