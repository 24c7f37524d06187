module github.com/rouse-go/rouse/evidence/corpus

go 1.26.0

replace github.com/rouse-go/rouse => ../..

require (
	github.com/rouse-go/rouse v0.0.0
	github.com/spf13/cobra v1.10.2
	go.uber.org/goleak v1.3.0
)

require (
	github.com/goccy/go-yaml v1.19.2 // indirect
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	github.com/spf13/pflag v1.0.9 // indirect
	golang.org/x/sys v0.49.0 // indirect
)
