module example.com/loops

go 1.25.0
