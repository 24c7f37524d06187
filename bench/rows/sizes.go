package rows

// Sizes are how much the rows do.
type Sizes struct {
	Fib            int // fib(n)
	JoinTimes      int // trees in a turn of join-recursively
	IncrementTimes int // loops in a turn of increment-all
	Ticks          int // of a turn of nbody
	Sort           int // numbers to be sorted
}

// Full are the sizes of the table.
func Full() Sizes {
	return Sizes{
		Fib:            32,
		JoinTimes:      50,
		IncrementTimes: 40,
		Ticks:          10,
		Sort:           10_000_000,
	}
}

// Quick are sizes for a first look.
func Quick() Sizes {
	return Sizes{
		Fib:            26,
		JoinTimes:      10,
		IncrementTimes: 5,
		Ticks:          3,
		Sort:           1_000_000,
	}
}
