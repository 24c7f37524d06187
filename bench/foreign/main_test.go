package foreign

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// TestMain is also a foreign program, if it is started as one.
func TestMain(m *testing.M) {
	if os.Getenv(asProgram) == "" {
		goleak.VerifyTestMain(m)
		return
	}
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		row, rest, _ := strings.Cut(in.Text(), " ")
		switch row {
		case "echo":
			fmt.Println(rest)
		case "sum":
			var a, b int
			fmt.Sscan(rest, &a, &b)
			fmt.Println("ok", a+b, 1.5, 2)
		case "hang":
			time.Sleep(time.Hour)
		case "end":
			os.Exit(1)
		}
	}
}

// asProgram is set in the environment of the program.
const asProgram = "BENCH_FOREIGN_PROGRAM"
