package yamltree

import "fmt"

// An Error is a mistake in a text. Its message is one line.
type Error struct {
	File string
	// Line and Column count from 1, the column in characters; both are 0 if the error has no place.
	Line, Column int
	// Problem is what was found and what is wanted.
	Problem string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, e.Problem)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Problem)
}
