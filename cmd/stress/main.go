package main

import (
	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/stress"
	"github.com/rouse-go/rouse/stress/mutants"
)

func main() {
	pool := stress.Pool()
	pool.Commands = []func() *cobra.Command{mutants.Command}
	stress.Main(pool)
}
