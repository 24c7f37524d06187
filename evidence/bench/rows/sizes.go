package rows

import "time"

// Sizes holds the amount of work of the rows.
type Sizes struct {
	Fib            int // fib(n)
	SlowFib        int // fib(n) for contestants that would take seconds
	JoinTimes      int // trees in a turn of join-recursively
	IncrementTimes int // loops in a turn of increment-all
	Ticks          int // of a turn of nbody
	Sort           int // numbers to be sorted
	Coarse         int // divides the numbers of coarse leaves

	Leaves  []int         // numbers of leaves that sleep
	Leaf    time.Duration // for so long
	WarmFib int           // fib(n) before them

	Wakes      int           // of a turn
	Quiet      time.Duration // before each, in which the pool falls asleep
	Busy       time.Duration // after each, if the waker computes on
	LatestWake time.Duration // after which the waker yields
	Visits     int           // of a turn, back to back

	Jobs int // from outside

	GroupDepth int // of groups in groups
	Hashed     int // files

	Waves int // of jobs that block: as many jobs as may be under way

	Idle       time.Duration
	Trickle    int // jobs of a turn, one every 10 ms
	MemoryJobs int // a multiple of ten
}

// Full returns the sizes of the table.
func Full() Sizes {
	return Sizes{
		Fib:            32,
		SlowFib:        27,
		JoinTimes:      50,
		IncrementTimes: 40,
		Ticks:          10,
		Sort:           10_000_000,
		Coarse:         1,
		Leaves:         []int{16, 64, 256, 1000},
		Leaf:           10 * time.Millisecond,
		WarmFib:        27,
		Wakes:          200,
		Quiet:          time.Millisecond,
		Busy:           300 * time.Microsecond,
		LatestWake:     3 * time.Millisecond,
		Visits:         2000,
		Jobs:           1_000_000,
		GroupDepth:     14,
		Hashed:         4000,
		Waves:          500,
		Idle:           5 * time.Second,
		Trickle:        100,
		MemoryJobs:     10_000_000,
	}
}

// Quick returns sizes for a first look.
func Quick() Sizes {
	s := Full()
	s.Fib = 26
	s.SlowFib = 22
	s.JoinTimes = 10
	s.IncrementTimes = 5
	s.Ticks = 3
	s.Sort = 1_000_000
	s.Coarse = 4
	s.Leaves = []int{16, 64}
	s.WarmFib = 22
	s.Wakes = 50
	s.Visits = 200
	s.Jobs = 100_000
	s.GroupDepth = 10
	s.Hashed = 400
	s.Waves = 50
	s.Idle = time.Second
	s.Trickle = 20
	s.MemoryJobs = 1_000_000
	return s
}

// Tiny returns sizes for tests, at which figures mean nothing.
func Tiny() Sizes {
	return Sizes{
		Fib:            10,
		SlowFib:        8,
		JoinTimes:      1,
		IncrementTimes: 1,
		Ticks:          1,
		Sort:           10_000,
		Coarse:         100,
		Leaves:         []int{1, 20},
		Leaf:           time.Millisecond,
		WarmFib:        10,
		Wakes:          2,
		Quiet:          100 * time.Microsecond,
		Busy:           10 * time.Microsecond,
		LatestWake:     100 * time.Microsecond,
		Visits:         2,
		Jobs:           100,
		GroupDepth:     3,
		Hashed:         20,
		Waves:          2,
		Idle:           time.Millisecond,
		Trickle:        1,
		MemoryJobs:     100,
	}
}
