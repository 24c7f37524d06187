// Package picturetest is what the tests of pictures have in common.
package picturetest
