module example.com/small

go 1.25.0
