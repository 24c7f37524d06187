module example.com/cost

go 1.25.0
