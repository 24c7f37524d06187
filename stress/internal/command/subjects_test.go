package command

import (
	"testing"

	"github.com/rouse-go/rouse/stress/subject"
)

func TestSubjectsAreDistinct(t *testing.T) {
	a, b := subject.Subject{Name: "a"}, subject.Subject{Name: "b"}
	if err := checkSubjects([]subject.Subject{a, b}); err != nil {
		t.Errorf("two subjects with different names are refused: %v", err)
	}
	if checkSubjects([]subject.Subject{a, a}) == nil {
		t.Error("two subjects with one name are not refused")
	}
	if checkSubjects(nil) == nil {
		t.Error("no subject is not refused")
	}
}
