package picture

import "testing"

// Catches: a mark outside of the axis, a power of ten without its label, another mark with one.
func TestDecades(t *testing.T) {
	marks := map[float64]string{}
	for _, tick := range Decades(func(decade int) string { return map[int]string{0: "one", 1: "ten", 2: "hundred"}[decade] })(0.5, 2) {
		marks[tick.Value] = tick.Label
	}
	if len(marks) != 16 || marks[1] != "ten" || marks[2] != "hundred" { // 4 to 9, 10, 20 to 90, 100
		t.Errorf("%d marks, %v", len(marks), marks)
	}
	for at, label := range marks {
		if at < 0.5 || at > 2 || label != "" && at != 1 && at != 2 {
			t.Errorf("%q at %v", label, at)
		}
	}
}
