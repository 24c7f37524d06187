package main

import (
	"github.com/rouse-go/rouse/stress"
	"github.com/rouse-go/rouse/stress/mutants"
	"github.com/rouse-go/rouse/stress/subjects/burst"
	"github.com/rouse-go/rouse/stress/subjects/pool"
)

func main() { stress.Main(pool.Subject(mutants.Command), burst.Subject()) }
