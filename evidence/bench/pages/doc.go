// Package pages opens the pages of failures (internal/page) in headless Chromium, and measures them. Its tests
// are skipped if there is no Chromium.
//
// It belongs to a module of its own, so that the browser's protocol stays out of rouse's go.mod.
package pages
