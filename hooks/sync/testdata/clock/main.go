// Command clock calls everything that the drop-in for time has. The normal build
// of it holds nothing of the drop-in.
package main

import (
	standard "time"

	"github.com/rouse-go/rouse/hooks/time"
)

func main() {
	t := time.Now()
	println(time.Since(t) < time.Hour, time.Until(t) < time.Hour)
	time.Sleep(time.Nanosecond)
	<-time.After(time.Nanosecond)
	<-time.Tick(time.Nanosecond)

	timer := time.NewTimer(time.Hour)
	println(timer.Reset(time.Hour), timer.Stop(), timer.C != nil)
	done := make(chan bool)
	time.AfterFunc(time.Nanosecond, func() { close(done) })
	<-done
	ticker := time.NewTicker(time.Hour)
	ticker.Reset(time.Nanosecond)
	<-ticker.C
	ticker.Stop()

	println(time.Date(2006, time.January, 2, 15, 4, 5, 0, standard.UTC).Format(time.RFC3339))
	println(time.FixedZone("here", 60).String(), standard.Local.String(), time.Monday.String())
	_, errs := time.LoadLocation("nowhere")
	_, errz := time.LoadLocationFromTZData("nowhere", nil)
	println(errs != nil, errz != nil)
	_, errp := time.Parse(time.DateOnly, "yesterday")
	_, errl := time.ParseInLocation(time.DateOnly, "yesterday", standard.UTC)
	_, errd := time.ParseDuration("long")
	println(errp.(*time.ParseError).Value, errl.(*time.ParseError).Value, errd.Error())
	println(time.Unix(1, 2).UnixNano(), time.UnixMilli(3).UnixNano(), time.UnixMicro(4).UnixNano())
}
