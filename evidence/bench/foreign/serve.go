package foreign

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Serve is the other side of the protocol, for programs in Go: it calls turn for each line, and
// returns when there are no more.
func Serve(in io.Reader, out io.Writer, turn func(row string, args []int) (check float64, figures []float64, err error)) error {
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		if _, err := fmt.Fprintln(out, answer(lines.Text(), turn)); err != nil {
			return err
		}
	}
	return lines.Err()
}

func answer(line string, turn func(string, []int) (float64, []float64, error)) string {
	words := strings.Fields(line)
	if len(words) == 0 {
		return "error no row"
	}
	var args []int
	for _, word := range words[1:] {
		n, err := strconv.Atoi(word)
		if err != nil {
			return fmt.Sprintf("error %q is no whole number", clip(word))
		}
		args = append(args, n)
	}
	check, figures, err := turn(words[0], args)
	if err != nil {
		return "error " + strings.ReplaceAll(err.Error(), "\n", " ")
	}
	var b strings.Builder
	fmt.Fprintf(&b, "ok %v", check)
	for _, x := range figures {
		fmt.Fprintf(&b, " %v", x)
	}
	return b.String()
}
