package scenario

import (
	"errors"
	"fmt"

	"github.com/rouse-go/rouse/internal/yamltree"
)

// An InputError reports what is wrong with a file that a person wrote or kept: a
// scenario file or a recording. It is always one line.
type InputError struct {
	File string
	// Line and Column count from 1, the column in characters; 0 if the error is
	// not about a place in the file.
	Line, Column int
	// Problem describes what was found and what is wanted.
	Problem string
}

func (e *InputError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, e.Problem)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Problem)
}

// inputError turns the error of reading a text into an *InputError.
func inputError(err error) error {
	var e *yamltree.Error
	if errors.As(err, &e) {
		return (*InputError)(e)
	}
	return err
}
