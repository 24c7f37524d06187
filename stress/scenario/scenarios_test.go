package scenario

import (
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/rouse-go/rouse"
	"github.com/rouse-go/rouse/stress/subject"
)

// TestScenariosAreGroupedAndDescribed: each of the default campaign says itself what it aims at, and
// to which group it belongs.
func TestScenariosAreGroupedAndDescribed(t *testing.T) {
	var campaign struct {
		Scenarios []struct{ Name, Group, About string }
	}
	if err := yaml.Unmarshal(rouse.Scenarios, &campaign); err != nil {
		t.Fatal(err)
	}
	if len(campaign.Scenarios) < 100 {
		t.Fatalf("%d scenarios", len(campaign.Scenarios))
	}
	for _, s := range campaign.Scenarios {
		if !subject.Hyphened.MatchString(s.Group) {
			t.Errorf("%s belongs to the group %q", s.Name, s.Group)
		}
		if len(strings.Fields(s.About)) < 3 {
			t.Errorf("%s says of itself %q", s.Name, s.About)
		}
	}
}
