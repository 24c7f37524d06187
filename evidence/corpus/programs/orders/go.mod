module example.com/orders

go 1.26.0

require github.com/rouse-go/rouse v0.0.0

require (
	github.com/goccy/go-yaml v1.19.2 // indirect
	golang.org/x/sys v0.49.0 // indirect
)

replace github.com/rouse-go/rouse => ../../../..
