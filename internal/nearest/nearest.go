package nearest

import (
	"strconv"
	"strings"
)

// mostNames is how many names a message lists. If there are more, it lists only the first and gives their number.
const mostNames = 30

// longest is the maximum length, in bytes, of a name for which Name looks: the cost grows with the square.
const longest = 200

// Hint returns the end of a message about the unknown name got: the nearest name in have, or a list if
// none is near.
func Hint(got string, have []string) string {
	if n := Name(got, have); n != "" {
		return "did you mean " + strconv.Quote(n) + "?"
	}
	if len(have) == 0 {
		return "there are none"
	}
	if len(have) > mostNames {
		return "want one of " + strconv.Itoa(len(have)) + ", such as " + list(have[:mostNames/3])
	}
	return "want one of " + list(have)
}

func list(names []string) string {
	short := make([]string, len(names))
	for i, name := range names {
		short[i] = Clip(name)
	}
	return strings.Join(short, ", ")
}

// Clip shortens user input for a message.
func Clip(s string) string {
	if r := []rune(s); len(r) > 40 {
		return string(r[:40]) + "..."
	}
	return s
}

// Name returns the element of have that got was most likely meant to be, or ""
// if nothing is close: more than one edit in three letters apart is not close.
// An edit is a letter too many, too few, wrong, or exchanged with its
// neighbour (optimal string alignment); case does not count. A name whose
// package was left out ("registered" for "sleep/registered") is close if only
// one name ends like that. Among equals the first one wins.
// Cost: len(got) * len(name) steps for each name of about that length; nothing is near to a text of more
// than 200 bytes.
func Name(got string, have []string) string {
	if got == "" || len(got) > longest {
		return ""
	}
	best, bestEdits := "", len(got)+1
	tail, tails := "", 0
	for _, name := range have {
		if strings.HasSuffix(name, "/"+got) {
			tail, tails = name, tails+1
		}
		most := max(1, min(len(got), len(name))/3)
		if max(len(got)-len(name), len(name)-len(got)) > most {
			continue // and got may be a whole file
		}
		if edits := distance(strings.ToLower(got), strings.ToLower(name)); edits <= most && edits < bestEdits {
			best, bestEdits = name, edits
		}
	}
	if best == "" && tails == 1 {
		return tail
	}
	return best
}

// distance is the optimal string alignment distance of a and b, in bytes.
func distance(a, b string) int {
	// Three rows of the table: the one before last is for exchanged neighbours.
	prev2, prev, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			wrong := 1
			if a[i-1] == b[j-1] {
				wrong = 0
			}
			row[j] = min(prev[j]+1, row[j-1]+1, prev[j-1]+wrong)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], prev2[j-2]+1)
			}
		}
		prev2, prev, row = prev, row, prev2
	}
	return prev[len(b)]
}

// Enumerate lists names for a sentence: a, b and c.
func Enumerate(names []string) string {
	s := ""
	for i, n := range names {
		switch {
		case i == 0:
		case i == len(names)-1:
			s += " and "
		default:
			s += ", "
		}
		s += n
	}
	return s
}
