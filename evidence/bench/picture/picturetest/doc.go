// Package picturetest has shared code for tests of pictures.
package picturetest
