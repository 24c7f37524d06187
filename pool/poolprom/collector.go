package poolprom

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/rouse-go/rouse/pool"
)

// NewCollector returns a collector of the metrics of those pools, which must have different names.
// It may be used by any goroutine at any time, also when pools are closed.
func NewCollector(pools ...*pool.Pool) prometheus.Collector { return collector(pools) }

type collector []*pool.Pool

// A metric is one figure of a pool.
type metric struct {
	desc *prometheus.Desc
	kind prometheus.ValueType
	of   func(stats pool.Stats, state pool.State) float64
}

func describe(kind prometheus.ValueType, name, help string, of func(stats pool.Stats, state pool.State) float64) metric {
	return metric{prometheus.NewDesc("rouse_pool_"+name, help, []string{"pool"}, nil), kind, of}
}

func counter(name, help string, of func(s pool.Stats) float64) metric {
	return describe(prometheus.CounterValue, name, help, func(s pool.Stats, _ pool.State) float64 { return of(s) })
}

func gauge(name, help string, of func(s pool.State) float64) metric {
	return describe(prometheus.GaugeValue, name, help, func(_ pool.Stats, s pool.State) float64 { return of(s) })
}

var metrics = []metric{
	counter("jobs_total", "Jobs taken from a queue and run.", func(s pool.Stats) float64 { return float64(s.Jobs) }),
	counter("joins_total", "Joins.", func(s pool.Stats) float64 { return float64(s.Joins) }),
	counter("pushed_jobs_total", "Jobs that workers have put into their deques.", func(s pool.Stats) float64 { return float64(s.Pushed) }),
	counter("steals_total", "Jobs taken from another worker.", func(s pool.Stats) float64 { return float64(s.Steals) }),
	counter("failed_steals_total", "Rounds of stealing that failed because of a race.", func(s pool.Stats) float64 { return float64(s.FailedSteals) }),
	counter("searches_total", "Rounds of looking for work everywhere, and finding none.", func(s pool.Stats) float64 { return float64(s.Searches) }),
	counter("injected_jobs_total", "Jobs from outside that workers have taken.", func(s pool.Stats) float64 { return float64(s.Injected) }),
	counter("sleeps_total", "Times that a worker fell asleep.", func(s pool.Stats) float64 { return float64(s.Sleeps) }),
	counter("wakes_total", "Times that a worker was woken.", func(s pool.Stats) float64 { return float64(s.Wakes) }),
	counter("spurious_wakes_total", "Times that a worker woke without having been woken.", func(s pool.Stats) float64 { return float64(s.Spurious) }),
	counter("spares_total", "Times that a spare worker was set to work.", func(s pool.Stats) float64 { return float64(s.Spares) }),
	counter("spares_missing_total", "Times that a spare worker was wanted, and all were in use.", func(s pool.Stats) float64 { return float64(s.SparesMissing) }),
	counter("parked_seconds_total", "How long workers have slept, all of them together.", func(s pool.Stats) float64 { return s.Parked.Seconds() }),

	gauge("workers", "Workers, spares at work included.", func(s pool.State) float64 { return float64(len(s.Workers)) }),
	gauge("inactive_workers", "Workers that look for work or sleep.", func(s pool.State) float64 { return float64(s.Counters.Inactive) }),
	gauge("sleeping_workers", "Workers that sleep.", func(s pool.State) float64 { return float64(s.Counters.Sleeping) }),
	gauge("queued_injected_jobs", "Jobs from outside that no worker has taken.", func(s pool.State) float64 { return float64(s.Injected) }),
	gauge("queued_jobs", "Jobs in the workers' deques.", func(s pool.State) float64 {
		n := 0
		for _, w := range s.Workers {
			n += w.Jobs
		}
		return float64(n)
	}),
	gauge("references", "Jobs that keep the pool alive, and one for the pool until it is closed.", func(s pool.State) float64 { return float64(s.References) }),
}

// Describe implements prometheus.Collector.
func (c collector) Describe(to chan<- *prometheus.Desc) {
	for _, m := range metrics {
		to <- m.desc
	}
}

// Collect implements prometheus.Collector.
func (c collector) Collect(to chan<- prometheus.Metric) {
	for _, p := range c {
		stats, state := p.Stats(), p.State()
		for _, m := range metrics {
			to <- prometheus.MustNewConstMetric(m.desc, m.kind, m.of(stats, state), p.Name())
		}
	}
}
