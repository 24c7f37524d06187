package strategy

import "fmt"

// Parse returns the strategy of that name.
func Parse(name string) (Strategy, error) {
	if name == "random" {
		return Random(), nil
	}
	return nil, fmt.Errorf("found %q, want \"random\"", name)
}
