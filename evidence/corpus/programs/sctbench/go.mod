module example.com/sctbench

go 1.25.0
