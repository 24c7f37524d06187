package command

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/rouse-go/rouse/stress/subject"
)

// A variantsFlag is a flag: names of variants of the subjects.
type variantsFlag struct {
	chosen, have []string
}

// allVariants stands for all of them.
const allVariants = "all"

// variantsOf lists the variants of the subject of that name, or of all subjects if name is "".
func variantsOf(name string, subjects []subject.Subject) (names []string) {
	for i := range subjects {
		if s := &subjects[i]; name == "" || s.Name == name {
			names = append(names, s.VariantNames()...)
		}
	}
	return names
}

// complete completes the last of the names.
func (s *variantsFlag) complete(_ *cobra.Command, _ []string, begun string) (names []cobra.Completion, _ cobra.ShellCompDirective) {
	comma := strings.LastIndexByte(begun, ',') + 1
	chosen := strings.Split(begun[:comma], ",")
	have := s.have
	if comma == 0 && len(have) > 0 {
		have = append(slices.Clone(have), allVariants)
	}
	for _, name := range have {
		if strings.HasPrefix(name, begun[comma:]) && !slices.Contains(chosen, name) {
			names = append(names, begun[:comma]+name)
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

func (s *variantsFlag) String() string { return strings.Join(s.chosen, ",") }
func (s *variantsFlag) Type() string   { return "names" }
func (s *variantsFlag) Set(text string) error {
	if len(s.have) == 0 {
		return errors.New("want none: no subject of this program has variants")
	}
	if text == allVariants {
		s.chosen = s.have
		return nil
	}
	var chosen []string
	for name := range strings.SplitSeq(text, ",") {
		if !slices.Contains(s.have, name) {
			return fmt.Errorf("unknown variant %q; %s", nearest.Clip(name), nearest.Hint(name, append(slices.Clone(s.have), allVariants)))
		}
		if slices.Contains(chosen, name) {
			return fmt.Errorf("%s is named twice", name)
		}
		chosen = append(chosen, name)
	}
	s.chosen = chosen
	return nil
}
