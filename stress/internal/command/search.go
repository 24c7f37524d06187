package command

import (
	"errors"
	"strconv"
	"time"

	"github.com/rouse-go/rouse/stress/internal/outcome"
)

// A searchFlag is a flag: the bound of a search, a duration or a number of executions; 0 is none.
type searchFlag struct{ outcome.SearchBudget }

func newSearch() searchFlag { return searchFlag{outcome.SearchBudget{For: outcome.DefaultSearch}} }

const searchUsage = "how long a native failure is searched for under control: a duration, or a number of executions; 0 is not at all"

func (s *searchFlag) String() string {
	if s.For > 0 {
		return s.For.String()
	}
	return strconv.Itoa(s.Executions)
}

func (s *searchFlag) Type() string { return "duration|n" }

func (s *searchFlag) Set(text string) error {
	if n, err := strconv.ParseInt(text, 10, 32); err == nil && n >= 0 {
		s.SearchBudget = outcome.SearchBudget{Executions: int(n)}
		return nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return errors.New("want a duration such as 30s, a number of executions such as 5000, or 0")
	}
	s.SearchBudget = outcome.SearchBudget{For: d}
	return nil
}
