package bursts

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/evidence/bench/measure"
)

// Catches: a message that is lost, that counts though it is of the warm-up, or that is
// younger than nothing; a line that does not end.
func TestRun(t *testing.T) {
	for _, mode := range []Mode{Blocks, Computes} {
		const n = 5
		results, err := Plan{Mode: mode, Bursts: n, Rounds: 2, Pause: MinPause}.Run(context.Background(), Specs(), Supported(Contestants()))
		if err != nil {
			t.Fatal(err)
		}
		if want := len(Specs()) * len(Supported(Contestants())); len(results) != want {
			t.Fatalf("%d results, want %d", len(results), want)
		}
		for _, r := range results {
			if r.Bursts != n || len(r.Rounds) != 2 {
				t.Errorf("%s, %s: %d bursts in %d rounds", r.Contestant.Name, r.Spec, r.Bursts, len(r.Rounds))
			}
			if len(r.All()) != r.Sent {
				t.Errorf("%s, %s: %d messages of %d arrived", r.Contestant.Name, r.Spec, len(r.All()), r.Sent)
			}
			switch most := n * min(r.Spec.Messages, r.Spec.Receivers); {
			case r.Contestant.Burst && r.Sent > most: // fewer, if the receivers were not back in time
				t.Errorf("%s, %s: %d sent, want %d at most", r.Contestant.Name, r.Spec, r.Sent, most)
			case !r.Contestant.Burst && r.Sent != n*r.Spec.Messages:
				t.Errorf("%s, %s: %d sent, want %d", r.Contestant.Name, r.Spec, r.Sent, n*r.Spec.Messages)
			}
			for _, ns := range r.All() {
				if ns <= 0 {
					t.Errorf("%s, %s: a message %v ns old", r.Contestant.Name, r.Spec, ns)
				}
			}
		}
		for _, r := range Records("here", results, Claims(results)) {
			if _, err := json.Marshal(r); err != nil {
				t.Errorf("%+v: %v", r, err)
			}
		}
	}
}

// Catches: a line of JSON that cannot be written because nothing was received.
func TestRecordsOfNothing(t *testing.T) {
	results := []*Result{{Contestant: Contestant{Name: "burst", Burst: true}, Bursts: 1, Rounds: []measure.Series{nil}}}
	for _, r := range Records("here", results, nil) {
		if line, err := json.Marshal(r); err != nil || !strings.Contains(string(line), `"p50_ns":null`) || !strings.Contains(string(line), `"medians_ns":[null]`) {
			t.Errorf("%s, %v", line, err)
		}
	}
}

// refusing is a line that takes no receivers.
type refusing struct {
	Line
	err error
}

func (r refusing) Receiver() (func() (Message, bool), error) { return nil, r.err }
func (r refusing) Close()                                    {}

// Catches: a contestant that this system does not know and that fails all; one that
// fails otherwise and is left out.
func TestSupported(t *testing.T) {
	trouble := errors.New("trouble")
	contestants := []Contestant{
		{Name: "channel", New: func() Line { return make(channel, queueRoom) }},
		{Name: "unsupported", New: func() Line { return refusing{err: errors.ErrUnsupported} }},
		{Name: "broken", New: func() Line { return refusing{err: trouble} }},
	}
	supported := Supported(contestants)
	if len(supported) != 2 || supported[0].Name != "channel" || supported[1].Name != "broken" {
		t.Errorf("%+v", supported)
	}
	_, err := Plan{Bursts: 1, Rounds: 1}.Run(context.Background(), []Spec{{1, 1}}, supported[1:])
	if !errors.Is(err, trouble) || !strings.Contains(err.Error(), "broken") {
		t.Errorf("error %v, want one about the broken one", err)
	}
}
