package stress

import (
	"fmt"
	"strings"

	"github.com/rouse-go/rouse/internal/nearest"
)

// An InputError says what is wrong with a file that a person wrote or kept: a
// scenario file or a recording. It always fits on one line.
type InputError struct {
	File string
	// Line and Column count from 1, the column in characters; 0 if the error is
	// not about a place in the file.
	Line, Column int
	// Problem is what was found and what would be right.
	Problem string
}

func (e *InputError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, e.Problem)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Problem)
}

// didYouMean ends a message about the unknown name got with the valid name that
// is nearest to it, or with all of them if none is near.
func didYouMean(got string, have []string) string {
	if n := nearest.Name(got, have); n != "" {
		return fmt.Sprintf("did you mean %q?", n)
	}
	if len(have) == 0 {
		return "there are none"
	}
	return "want one of " + strings.Join(have, ", ")
}
