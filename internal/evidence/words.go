package evidence

import (
	"fmt"
	"strconv"
	"strings"
)

// useful is the lowest probability for which a bound is printed.
const useful = 0.01

// Meaning is the caveat that holds for every pass.
const Meaning = "A pass proves nothing else than that these executions passed."

// String returns all of the evidence in words.
func (e *Evidence) String() string {
	return strings.Join(append([]string{e.explored()}, e.Found()...), "; ")
}

// Found returns the evidence in words, except for the executions and their orders, which a line of figures has. It
// returns nil if no step had a choice, no timer was armed, and nothing was out of control.
func (e *Evidence) Found() (all []string) {
	if len(e.Bounds) == 0 && e.Timers == 0 && e.Forced == 0 && len(e.Uncontrolled) == 0 {
		return nil
	}
	for _, text := range []string{e.bugs(), e.forced(), e.timers(), e.uncontrolled()} {
		if text != "" {
			all = append(all, text)
		}
	}
	return all
}

// explored describes how much was seen, and how likely one more execution is to have a new order.
func (e *Evidence) explored() string {
	text := Counted(e.Executions, "execution")
	if e.Orders != nil {
		about := ""
		if e.Orders.OneOf > 1 {
			about = "about "
		}
		text += " of " + about + Counted(e.Orders.Distinct, "partial order")
	}
	switch {
	case e.Exhausted != "":
		text += "; " + e.Exhausted
	case e.Orders != nil && e.Orders.ChanceOfNew != nil:
		c := e.Orders.ChanceOfNew
		text += fmt.Sprintf("; the next one has a new order with %s to %s", Chance(c.Low), Chance(c.High))
	}
	return text
}

// bugs describes which bugs PCT would have found.
func (e *Evidence) bugs() string {
	if e.Exhausted != "" || e.Searched {
		return ""
	}
	if causes := e.Withdrawn(); causes != "" {
		return "no bound of PCT and no chance of a new order: they do not hold with this out of control: " + causes
	}
	var known []string
	for i, b := range e.Bounds {
		switch {
		case b.Probability < useful && len(known) == 0:
			return fmt.Sprintf("PCT guarantees less than 1 %% for bugs of depth %d or more", e.Bounds[0].Depth)
		case b.Probability < useful:
			return strings.Join(known, ", ") + fmt.Sprintf("; for depth %d or more PCT guarantees less than 1 %%", b.Depth)
		case i == 0:
			known = append(known, fmt.Sprintf("a bug of depth %d within %s, by the order of operations%s, would have been found with a probability of at least %s",
				b.Depth, Counted(b.Within, "step"), e.given(), atLeast(b.Probability)))
		default:
			known = append(known, fmt.Sprintf("of depth %d with %s", b.Depth, atLeast(b.Probability)))
		}
	}
	return strings.Join(known, ", ")
}

// given describes the assumption of the bounds.
func (e *Evidence) given() string {
	if e.answered() {
		return " and with what system calls returned here"
	}
	return ""
}

// forced describes how often the engine decided without asking the strategy.
func (e *Evidence) forced() string {
	if e.Forced == 0 {
		return ""
	}
	return "in " + Counted(e.Forced, "execution") + " a task or a timer that had waited for very long got a turn, whatever the strategy would have chosen"
}

// timers describes whether any timer has raced with running code.
func (e *Evidence) timers() string {
	text := ""
	switch {
	case e.Timers == 0:
		return "no timer was armed"
	case e.Early > 0:
		text = fmt.Sprintf("in %s a timer fired though a task could continue", Counted(e.Early, "execution"))
	default:
		text = Counted(e.Timers, "timer") + " " + was(e.Timers) + " armed, and none fired while a task could continue"
	}
	if e.Uncounted > 0 {
		text += ", after which " + Counted(e.Uncounted, "execution") + " failed, which does not count (-v shows the first)"
	}
	if e.Far > 0 {
		text += ", but not one more than 10 seconds ahead, half a second where other code slept and the test could continue, or 10 ms where the test arms it"
	}
	if e.Racy != "" && (e.Early == 0 || e.Far > 0) {
		text += ": " + e.Racy + " explores that"
	}
	return text
}

func was(n int) string {
	if n == 1 {
		return "was"
	}
	return "were"
}

// uncontrolled describes what was out of control.
func (e *Evidence) uncontrolled() string {
	if len(e.Uncontrolled) == 0 {
		return "nothing was noticed to be out of control"
	}
	var causes []string
	for _, k := range e.Uncontrolled {
		causes = append(causes, fmt.Sprintf("%s (%s)", k.What, times(k.Times)))
	}
	return "out of control: " + strings.Join(causes, ", ")
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return Thousands(uint64(n)) + " times"
}

// atLeast formats a probability with two digits, rounded down.
func atLeast(p float64) string {
	if p >= 0.99 {
		return "99 %"
	}
	return fmt.Sprintf("%d %%", int(100*p))
}

// Chance formats a probability with two digits.
func Chance(p float64) string {
	if p == 0 || p >= 0.0995 {
		return fmt.Sprintf("%.0f %%", 100*p)
	}
	return fmt.Sprintf("%.2g %%", 100*p)
}

// Counted formats a count with its noun: "1 step", "38,214 steps".
func Counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return Thousands(uint64(n)) + " " + what + "s"
}

// Thousands formats a number with its digits in groups of three.
func Thousands(n uint64) string {
	text := strconv.FormatUint(n, 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
