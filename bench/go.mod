module github.com/rouse-go/rouse/bench

go 1.25.0

require (
	github.com/rouse-go/rouse v0.0.0
	go.uber.org/goleak v1.3.0
)

replace github.com/rouse-go/rouse => ../
