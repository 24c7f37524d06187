package example

import (
	"testing"
	"time"

	"github.com/zeromicro/go-zero/core/syncx"
)

// The only element is returned at once, so nobody has to wait for an hour.
func TestBorrowBesideReturn(t *testing.T) {
	limit := syncx.NewTimeoutLimit(1)
	if err := limit.Borrow(time.Hour); err != nil {
		t.Fatal(err)
	}
	go limit.Return()
	if err := limit.Borrow(time.Hour); err != nil {
		t.Errorf("the element was returned an hour ago, but: %v", err)
	}
}
