module example.com/join

go 1.25

require github.com/rouse-go/rouse v0.0.0

replace github.com/rouse-go/rouse => ../../../..
