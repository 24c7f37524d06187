// Package pages looks at the pages of failures (internal/page) in headless Chromium, and measures them. Its tests
// skip where there is no Chromium.
//
// It is of a module of its own, so that the browser's protocol stays out of rouse's go.mod.
package pages
