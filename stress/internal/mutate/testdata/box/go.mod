module example.com/box

go 1.25
