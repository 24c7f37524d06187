// Package golden compares the output of tests with files of testdata. Only tests import it.
package golden
