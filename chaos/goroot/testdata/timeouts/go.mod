module example.com/timeouts

go 1.25.0
