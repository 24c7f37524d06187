package cs

import (
	"sync"
	"testing"
)

// account pays in and draws out beside an auditor, who compares the balance once both are done. The
// auditor's formula is a parameter: the wrong one matters only if the auditor comes last.
func account(t *testing.T, expected func(opening, paid, drawn int) int) {
	const opening, paid, drawn = 1, 2, 4
	var mu sync.Mutex
	balance, hasPaid, hasDrawn := opening, false, false
	together(func() {
		mu.Lock()
		defer mu.Unlock()
		if want := expected(opening, paid, drawn); hasPaid && hasDrawn && balance != want {
			t.Errorf("the balance is %d, want %d", balance, want)
		}
	}, func() {
		mu.Lock()
		defer mu.Unlock()
		balance += paid
		hasPaid = true
	}, func() {
		mu.Lock()
		defer mu.Unlock()
		balance -= drawn
		hasDrawn = true
	})
}

func TestAccount(t *testing.T) {
	account(t, func(opening, paid, drawn int) int { return opening - paid - drawn })
}

func TestAccountFixed(t *testing.T) {
	account(t, func(opening, paid, drawn int) int { return opening + paid - drawn })
}
