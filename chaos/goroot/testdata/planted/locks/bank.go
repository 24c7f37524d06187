package locks

import "sync"

// An Account holds money.
type Account struct {
	ID      int
	mu      sync.Mutex
	balance int
}

func NewAccount(id, balance int) *Account { return &Account{ID: id, balance: balance} }

// Balance returns what is in the account.
func (a *Account) Balance() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.balance
}

// Transfer moves money, or nothing if there is not enough of it.
func Transfer(from, to *Account, amount int) bool {
	first, second := order(from, to)
	first.mu.Lock()
	defer first.mu.Unlock()
	second.mu.Lock()
	defer second.mu.Unlock()
	if from.balance < amount {
		return false
	}
	from.balance -= amount
	to.balance += amount
	return true
}
