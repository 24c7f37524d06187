package outcome

import (
	"slices"
	"testing"

	"github.com/rouse-go/rouse/stress/internal/fixture"
)

func TestPanicOf(t *testing.T) {
	_, got := PanicOf(fixture.Panic)
	want := []string{"at example.com/m.(*Deque[...]).pop (/src/m/deque.go:41)", "at main.main (/src/m/main.go:9)"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
