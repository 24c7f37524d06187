package main

import (
	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse"
	"github.com/rouse-go/rouse/stress"
	"github.com/rouse-go/rouse/stress/mutants"
)

func main() {
	stress.Main(stress.Subject{
		Name: "pool", Scenarios: rouse.Scenarios,
		Commands: []func() *cobra.Command{mutants.Command},
	})
}
