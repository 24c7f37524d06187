// Package chart draws the charts of reports as SVG: curves, columns, and named bars. The
// page that contains them defines their colours (Style), for light and dark mode. Each chart
// has a description in words, for people who cannot see it.
//
// A chart depends only on its data. The package imports only the standard library.
package chart
