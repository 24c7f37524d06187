// Package poolprom shows pools to Prometheus.
//
//	prometheus.MustRegister(poolprom.NewCollector(p))
//
// Every metric has the label "pool", the pool's name (pool.WithName). What is read are the counters
// that workers publish when they run out of work, so that collecting costs the pool nothing, and a
// busy worker's last figures may be missing.
//
// The package imports pool and the Prometheus client; pool does not import it.
package poolprom
