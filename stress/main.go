package stress

import (
	"github.com/rouse-go/rouse/stress/internal/command"
	"github.com/rouse-go/rouse/stress/subject"
)

// Main is the main function of a program that stresses these subjects: the command line of
// cmd/stress, with their campaigns. It does not return. There must be at least one subject, and
// their names must differ.
func Main(subjects ...subject.Subject) { command.Main(subjects...) }
