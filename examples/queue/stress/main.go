package main

import "github.com/rouse-go/rouse/stress"

func main() { stress.Main(target.Subject()) }
