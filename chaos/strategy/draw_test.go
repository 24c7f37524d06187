package strategy

import (
	"math/rand/v2"
	"testing"
)

// Catches: a length for which a loop runs on that is never drawn, or mostly, or that is no alternative.
func TestAnswerDrawsEachLength(t *testing.T) {
	const draws = 100_000
	for _, n := range []int{RunOnStops, RunOnStops + 1, RunOnStops + RunOnLengths} {
		source, drawn := rand.NewPCG(1, stream), make([]int, n)
		for range draws {
			drawn[answer(source, &Choice{Asks: RunOn}, n)]++
		}
		if most := draws * 3 / 4; drawn[0] > most+draws/50 || drawn[0] < most-draws/50 {
			t.Errorf("%d alternatives: 0 drawn %d times of %d", n, drawn[0], draws)
		}
		for most := RunOnStops / 2; most > 1; most /= 2 {
			if times := sum(drawn[2+most/2 : 2+most]); times < draws/alone/90 {
				t.Errorf("%d alternatives: a stop after %d to %d drawn %d times", n, most/2, most, times)
			}
		}
		if drawn[1] < draws/alone/4 {
			t.Errorf("%d alternatives: to the end %d times", n, drawn[1])
		}
		for i, times := range drawn[RunOnStops:] {
			if share := draws / alone / 30; times < share*2/3 || times > share*3/2 {
				t.Errorf("%d alternatives: %d drawn %d times, want about %d", n, RunOnStops+i, times, share)
			}
		}
	}
}

func sum(numbers []int) (all int) {
	for _, n := range numbers {
		all += n
	}
	return all
}

// Catches: an unfair strategy that takes one of the shorter lengths.
func TestUnfairRunsOnForLongest(t *testing.T) {
	for _, s := range []Strategy{Newest(), Oldest()} {
		for n, want := range map[int]int{2: 1, RunOnStops: RunOnStops - 1, RunOnStops + RunOnLengths: RunOnStops} {
			if got := s.Pick(&Choice{Asks: RunOn}, n); got != want {
				t.Errorf("%s: of %d alternatives picks %d, want %d", s.Name(), n, got, want)
			}
		}
		if got := s.Pick(&Choice{Asks: HoldOrRunOn}, 3); got != 2 {
			t.Errorf("%s: asked again picks %d, want 2", s.Name(), got)
		}
	}
}
