// Package chart draws the pictures of reports as SVG: curves, columns, and bars with a name
// each. They stand in a page that defines their colours (Style), in light and in dark, and
// say in words what they show, for who does not see them.
//
// What it draws follows from the data alone. It imports the standard library only.
package chart
