package measure

import "context"

// Turns calls turn for each contestant of n, one after the other, in each round.
// Each round begins with another contestant, so that none always follows the same
// other. It returns early, with the error, if ctx ends between two turns or a turn
// fails.
func Turns(ctx context.Context, rounds, n int, turn func(round, contestant int) error) error {
	for round := range rounds {
		for i := range n {
			if err := ctx.Err(); err != nil {
				return context.Cause(ctx)
			}
			if err := turn(round, (round+i)%n); err != nil {
				return err
			}
		}
	}
	return nil
}
