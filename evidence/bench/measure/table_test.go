package measure

import (
	"math"
	"testing"
)

// Catches: columns that are not aligned, or that Markdown does not see.
func TestTable(t *testing.T) {
	table := Table{Head: []string{"name", "n"}}
	table.Row("a µ", "1.00")
	table.Row("longer", "2")
	want := "" +
		"| name   |    n |\n" +
		"| ------ | ---: |\n" +
		"| a µ    | 1.00 |\n" +
		"| longer |    2 |\n"
	if got := table.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestNanoseconds(t *testing.T) {
	for ns, want := range map[float64]string{
		0: "0 ns", 812.4: "812 ns", 1234: "1.23 us", 12345: "12.3 us", 123456: "123 us", 7.5e6: "7.50 ms", 2e9: "2.00 s",
	} {
		if got := Nanoseconds(ns); got != want {
			t.Errorf("%v ns: %q, want %q", ns, got, want)
		}
	}
	if got := Nanoseconds(math.NaN()); got != "-" {
		t.Errorf("nothing is %q", got)
	}
}

func TestRatio(t *testing.T) {
	if got, want := Ratio(Series{1, 3, 2, 5, 4}), "3.00 (2.00-4.00)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
