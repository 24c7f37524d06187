package time_test

import (
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	standard "time"

	"github.com/rouse-go/rouse/hooks/time"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

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

// That the API is complete and what a normal binary holds of this package is
// tested in hooks/sync, for all drop-ins.
//
// These tests hold in both builds, and run on the clock of a synctest bubble: it
// does not advance while anything runs, so that every duration is exact.

func TestSleepAndTheClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		deadline := start.Add(3 * time.Second)
		time.Sleep(time.Second)
		if got := time.Now().Sub(start); got != time.Second {
			t.Errorf("Now is %v later, want 1s", got)
		}
		if got := time.Since(start); got != time.Second {
			t.Errorf("Since: %v, want 1s", got)
		}
		if got := time.Until(deadline); got != 2*time.Second {
			t.Errorf("Until: %v, want 2s", got)
		}
	})
}

// elapsed returns how long f takes.
func elapsed(f func()) time.Duration {
	start := time.Now()
	f()
	return time.Since(start)
}

func TestAfterAndTick(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		if got := elapsed(func() { <-time.After(time.Minute) }); got != time.Minute {
			t.Errorf("After(1m) took %v", got)
		}
		if got := elapsed(func() {
			c := time.Tick(time.Hour)
			<-c
			<-c
		}); got != 2*time.Hour {
			t.Errorf("two ticks of an hour took %v", got)
		}
		if c := time.Tick(0); c != nil {
			t.Error("Tick(0) is not nil")
		}
	})
}

func TestTimer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		timer := time.NewTimer(time.Second)
		if got := elapsed(func() { <-timer.C }); got != time.Second {
			t.Errorf("the timer took %v, want 1s", got)
		}
		if timer.Stop() {
			t.Error("Stop of an expired timer: true")
		}
		if timer.Reset(time.Minute) {
			t.Error("Reset of an expired timer: true")
		}
		if !timer.Reset(time.Hour) {
			t.Error("Reset of a running timer: false")
		}
		if got := elapsed(func() { <-timer.C }); got != time.Hour {
			t.Errorf("the timer took %v, want 1h", got)
		}
		timer.Reset(time.Second)
		if !timer.Stop() {
			t.Error("Stop of a running timer: false")
		}
		time.Sleep(time.Minute)
		select {
		case <-timer.C:
			t.Error("a stopped timer fired")
		default:
		}
		// Since Go 1.23: what fired before Reset is not received after it.
		timer.Reset(time.Second)
		time.Sleep(time.Minute)
		timer.Reset(time.Second)
		if got := elapsed(func() { <-timer.C }); got != time.Second {
			t.Errorf("after Reset a stale time was received: after %v, want 1s", got)
		}
	})
}

func TestTicker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ticker := time.NewTicker(time.Second)
		if got := elapsed(func() { <-ticker.C; <-ticker.C }); got != 2*time.Second {
			t.Errorf("two ticks took %v, want 2s", got)
		}
		ticker.Reset(time.Minute)
		if got := elapsed(func() { <-ticker.C }); got != time.Minute {
			t.Errorf("after Reset a tick took %v, want 1m", got)
		}
		ticker.Stop()
		time.Sleep(time.Hour)
		select {
		case <-ticker.C:
			t.Error("a stopped ticker ticked")
		default:
		}
	})
}

func TestAfterFunc(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var mu sync.Mutex
		var runs []time.Duration
		timer := time.AfterFunc(time.Second, func() {
			mu.Lock()
			defer mu.Unlock()
			runs = append(runs, time.Since(start))
		})
		expect := func(want ...time.Duration) {
			t.Helper()
			synctest.Wait()
			mu.Lock()
			defer mu.Unlock()
			if !slices.Equal(runs, want) {
				t.Errorf("the function ran after %v, want %v", runs, want)
			}
		}
		if timer.C != nil {
			t.Error("C is not nil")
		}
		expect()
		time.Sleep(time.Second)
		expect(time.Second)
		if timer.Reset(time.Minute) {
			t.Error("Reset of an expired timer: true")
		}
		if !timer.Reset(2 * time.Second) {
			t.Error("Reset of a running timer: false")
		}
		time.Sleep(time.Hour)
		expect(time.Second, 3*time.Second)
		timer.Reset(time.Second)
		if !timer.Stop() || timer.Stop() {
			t.Error("Stop: want true, and then false")
		}
		time.Sleep(time.Hour)
		expect(time.Second, 3*time.Second)
	})
}

// A second run may begin while the first is not over.
func TestAfterFuncRunsBesideItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		open := make(chan bool)
		began := 0
		timer := time.AfterFunc(time.Second, func() {
			began++ // Wait and Reset order the two
			<-open
		})
		time.Sleep(time.Minute)
		synctest.Wait()
		timer.Reset(time.Second)
		time.Sleep(time.Minute)
		synctest.Wait()
		if began != 2 {
			t.Errorf("%d runs have begun, want 2", began)
		}
		close(open)
	})
}

func TestMisusePanics(t *testing.T) {
	for _, row := range []struct {
		what string
		do   func()
		want any
	}{
		{"Stop of the zero Timer", func() { new(time.Timer).Stop() }, "time: Stop called on uninitialized Timer"},
		{"Reset of the zero Timer", func() { new(time.Timer).Reset(1) }, "time: Reset called on uninitialized Timer"},
		{"Stop of the zero Ticker", func() { new(time.Ticker).Stop() }, nil},
		{"Reset of the zero Ticker", func() { new(time.Ticker).Reset(1) }, "time: Reset called on uninitialized Ticker"},
		{"NewTicker(0)", func() { time.NewTicker(0) }, "non-positive interval for NewTicker"},
		{"Ticker.Reset(0)", func() { new(time.Ticker).Reset(0) }, "non-positive interval for Ticker.Reset"},
	} {
		func() {
			defer func() {
				if v := recover(); v != row.want {
					t.Errorf("%s panics with %v, want %v", row.what, v, row.want)
				}
			}()
			row.do()
		}()
	}
}
