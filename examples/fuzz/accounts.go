package fuzz

import "github.com/rouse-go/rouse/hooks/sync"

// Accounts are four balances. Transfers are safe for concurrent use.
type Accounts [4]struct {
	mu      sync.Mutex
	balance int
}

// Transfer moves an amount. The account of the lower number is locked first.
func (a *Accounts) Transfer(from, to, amount int) {
	first, second := min(from, to), max(from, to)
	if first == second {
		return
	}
	if amount < 0 { // the defect: a refund has its own order
		first, second = second, first
	}
	a[first].mu.Lock()
	a[second].mu.Lock()
	a[from].balance -= amount
	a[to].balance += amount
	a[second].mu.Unlock()
	a[first].mu.Unlock()
}
