// Package golden compares what tests write with files of testdata. Only tests import it.
package golden
