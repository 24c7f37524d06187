package strategy_test

import (
	"fmt"

	"github.com/rouse-go/rouse/chaos/strategy"
)

func ExampleParse() {
	s, err := strategy.Parse("pct(3)")
	fmt.Println(s.Name(), err)
	_, err = strategy.Parse("dfs(few)")
	fmt.Println(err)
	// Output:
	// pct(3) <nil>
	// no such strategy: "dfs(few)": dfs takes a whole number from 0 on: write "dfs(3)"
}

// An exhaustive strategy reports whether it has explored everything.
func ExampleExhaustive() {
	s := strategy.DPOR()
	if e, ok := s.(strategy.Exhaustive); ok {
		fmt.Printf("%s: complete: %v\n", e.Name(), e.Complete())
	}
	// Output:
	// dpor: complete: false
}
