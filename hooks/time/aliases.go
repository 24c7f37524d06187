package time

import "time"

// What does not wait is the standard package's in both builds.

// Time is [time.Time].
type Time = time.Time

// Duration is [time.Duration].
type Duration = time.Duration

// Month is [time.Month].
type Month = time.Month

// Weekday is [time.Weekday].
type Weekday = time.Weekday

// Location is [time.Location].
type Location = time.Location

// ParseError is [time.ParseError].
type ParseError = time.ParseError

// The standard layouts; see [time.Layout].
const (
	Layout      = time.Layout
	ANSIC       = time.ANSIC
	UnixDate    = time.UnixDate
	RubyDate    = time.RubyDate
	RFC822      = time.RFC822
	RFC822Z     = time.RFC822Z
	RFC850      = time.RFC850
	RFC1123     = time.RFC1123
	RFC1123Z    = time.RFC1123Z
	RFC3339     = time.RFC3339
	RFC3339Nano = time.RFC3339Nano
	Kitchen     = time.Kitchen
	Stamp       = time.Stamp
	StampMilli  = time.StampMilli
	StampMicro  = time.StampMicro
	StampNano   = time.StampNano
	DateTime    = time.DateTime
	DateOnly    = time.DateOnly
	TimeOnly    = time.TimeOnly
)

// The standard durations; see [time.Nanosecond].
const (
	Nanosecond  = time.Nanosecond
	Microsecond = time.Microsecond
	Millisecond = time.Millisecond
	Second      = time.Second
	Minute      = time.Minute
	Hour        = time.Hour
)

// The months; see [time.Month].
const (
	January   = time.January
	February  = time.February
	March     = time.March
	April     = time.April
	May       = time.May
	June      = time.June
	July      = time.July
	August    = time.August
	September = time.September
	October   = time.October
	November  = time.November
	December  = time.December
)

// The days of the week; see [time.Weekday].
const (
	Sunday    = time.Sunday
	Monday    = time.Monday
	Tuesday   = time.Tuesday
	Wednesday = time.Wednesday
	Thursday  = time.Thursday
	Friday    = time.Friday
	Saturday  = time.Saturday
)

// Date is [time.Date].
func Date(year int, month Month, day, hour, min, sec, nsec int, loc *Location) Time {
	return time.Date(year, month, day, hour, min, sec, nsec, loc)
}

// FixedZone is [time.FixedZone].
func FixedZone(name string, offset int) *Location { return time.FixedZone(name, offset) }

// LoadLocation is [time.LoadLocation].
func LoadLocation(name string) (*Location, error) { return time.LoadLocation(name) }

// LoadLocationFromTZData is [time.LoadLocationFromTZData].
func LoadLocationFromTZData(name string, data []byte) (*Location, error) {
	return time.LoadLocationFromTZData(name, data)
}

// Parse is [time.Parse].
func Parse(layout, value string) (Time, error) { return time.Parse(layout, value) }

// ParseDuration is [time.ParseDuration].
func ParseDuration(s string) (Duration, error) { return time.ParseDuration(s) }

// ParseInLocation is [time.ParseInLocation].
func ParseInLocation(layout, value string, loc *Location) (Time, error) {
	return time.ParseInLocation(layout, value, loc)
}

// Unix is [time.Unix].
func Unix(sec int64, nsec int64) Time { return time.Unix(sec, nsec) }

// UnixMicro is [time.UnixMicro].
func UnixMicro(usec int64) Time { return time.UnixMicro(usec) }

// UnixMilli is [time.UnixMilli].
func UnixMilli(msec int64) Time { return time.UnixMilli(msec) }
