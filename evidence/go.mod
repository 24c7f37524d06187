// What proves that rouse does what it says: benchmarks, bugs, recordings and results. It is no part of the module
// that users download, which this file is for; bench and corpus are modules of their own.
module github.com/rouse-go/rouse/evidence

go 1.26.0
