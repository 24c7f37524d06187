module example.com/traps

go 1.25.0
