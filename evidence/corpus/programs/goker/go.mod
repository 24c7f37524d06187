module example.com/goker

go 1.25.0
