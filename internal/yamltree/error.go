package yamltree

import "fmt"

// An Error says what is wrong with a text. It always fits on one line.
type Error struct {
	File string
	// Line and Column count from 1, the column in characters; 0 if the error is not
	// about a place in the text.
	Line, Column int
	// Problem is what was found and what would be right.
	Problem string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, e.Problem)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Problem)
}
