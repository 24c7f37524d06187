package time_test

import (
	"errors"
	"testing"
	standard "time"

	"github.com/rouse-go/rouse/hooks/time"
)

// The functions that do not wait: each has to be the one of its name.
func TestFunctionsAreTheirNamesakes(t *testing.T) {
	zone := time.FixedZone("zone", 3600)
	if name, offset := standard.Unix(0, 0).In(zone).Zone(); name != "zone" || offset != 3600 {
		t.Errorf("FixedZone: %s, %d", name, offset)
	}
	want := standard.Date(2006, standard.January, 2, 15, 4, 5, 6, zone)
	same := func(what string, got time.Time, err error) {
		t.Helper()
		if err != nil || !got.Equal(want) {
			t.Errorf("%s: %v, %v; want %v", what, got, err, want)
		}
	}
	same("Date", time.Date(2006, time.January, 2, 15, 4, 5, 6, zone), nil)
	got, err := time.Parse(time.RFC3339Nano, "2006-01-02T15:04:05.000000006+01:00")
	same("Parse", got, err)
	got, err = time.ParseInLocation("2006-01-02 15:04:05.999999999", "2006-01-02 15:04:05.000000006", zone)
	same("ParseInLocation", got, err)
	same("Unix", time.Unix(want.Unix(), 6), nil)
	same("UnixMilli", time.UnixMilli(want.UnixMilli()).Add(6*time.Nanosecond), nil)
	same("UnixMicro", time.UnixMicro(want.UnixMicro()).Add(6*time.Nanosecond), nil)

	if d, err := time.ParseDuration("1h2m"); d != time.Hour+2*time.Minute || err != nil {
		t.Errorf("ParseDuration: %v, %v", d, err)
	}
	_, err = time.Parse(time.DateOnly, "no date")
	if parse := (*time.ParseError)(nil); !errors.As(err, &parse) || parse.Value != "no date" {
		t.Errorf("Parse of no date: %v, want a *ParseError", err)
	}
	if l, err := time.LoadLocation("UTC"); l != standard.UTC || err != nil {
		t.Errorf("LoadLocation(UTC): %v, %v", l, err)
	}
	if _, err := time.LoadLocationFromTZData("bad", []byte("bad")); err == nil {
		t.Error("LoadLocationFromTZData of bad data: no error")
	}
}
