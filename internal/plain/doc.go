// Package plain makes text from files, reports and programs harmless for a terminal and for the log of
// a CI job. What it writes has no control characters but line ends and tabs, no marks that change the
// direction of text, and no commands of a CI runner: lines that begin with "::", or "##[" anywhere
// (GitHub Actions, Azure Pipelines, TeamCity). GitLab's section markers need control characters.
//
// Characters are escaped in the form \u001b, as in JSON: JSON lines keep their meaning, and text that is
// already plain is unchanged.
//
// It imports nothing of the module.
package plain
