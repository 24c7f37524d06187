//go:build !chaos

package pool

// A life is nothing but in the chaos build, which poisons what is free.
type life struct{}

func (*life) begin(*Worker, string)         {}
func (*life) free(*Worker, string, string)  {}
func (*life) end(*Worker, string, string)   {}
func (*life) touch(*Worker, string, string) {}
