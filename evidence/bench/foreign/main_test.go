package foreign

import (
	"errors"
	"os"
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
	err := Serve(os.Stdin, os.Stdout, func(row string, args []int) (float64, []float64, error) {
		switch row {
		case "sum":
			return float64(args[0] + args[1]), []float64{1.5, 2}, nil
		case "hang":
			time.Sleep(time.Hour)
		case "end":
			os.Exit(1)
		}
		return 0, nil, errors.New("no row\n" + row)
	})
	if err != nil {
		panic(err)
	}
}

// asProgram is set in the environment of the program.
const asProgram = "BENCH_FOREIGN_PROGRAM"
