// Package concbugs has programs after bugs of applications that SCTBench has in its group
// "conc-bugs": Aget, pbzip2, and StringBuffer of JDK 1.4.
package concbugs
