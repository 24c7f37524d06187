package bursts

import "fmt"

// A seedRow is a row of the tables in burst-pool's source (lib.rs), in ns: percentiles 1,
// 10, 50, 90, 99, mean and deviation. The machine is not named; its README says that three
// receivers were fewer than its cores, and six were more.
type seedRow struct {
	name    string
	figures [7]int
}

// seedRows holds the seed's figures by spec, burst-pool first.
var seedRows = map[Spec][]seedRow{
	{3, 2}: {
		{"burst-pool, seed", [7]int{3897, 5144, 8181, 22370, 31162, 12146, 31760}},
		{"spmc, seed", [7]int{4260, 5454, 7279, 14389, 30019, 9169, 8484}},
	},
	{3, 3}: {
		{"burst-pool, seed", [7]int{4162, 5116, 8165, 22000, 35767, 11565, 14096}},
		{"spmc, seed", [7]int{3911, 5454, 8895, 23216, 61595, 12102, 10197}},
	},
	{3, 5}: {
		{"burst-pool, seed", [7]int{3773, 4786, 8724, 22877, 34214, 12091, 10276}},
		{"spmc, seed", [7]int{4241, 5931, 12542, 1064532, 1086586, 432018, 516410}},
	},
	{6, 6}: {
		{"burst-pool, seed", [7]int{5875, 7344, 12265, 30397, 47118, 15984, 10130}},
		{"spmc, seed", [7]int{4170, 7050, 14561, 34644, 59763, 18003, 12511}},
	},
}

// seedCells are the rows of the table of one spec.
func seedCells(s Spec) (rows [][]string) {
	for _, r := range seedRows[s] {
		row := []string{r.name}
		for _, ns := range r.figures {
			row = append(row, fmt.Sprint(ns))
		}
		ratio := float64(r.figures[2]) / float64(seedRows[s][0].figures[2])
		rows = append(rows, append(row, "", fmt.Sprintf("%.2f", ratio)))
	}
	return rows
}
