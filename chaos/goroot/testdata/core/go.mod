module example.com/core

go 1.25.0
