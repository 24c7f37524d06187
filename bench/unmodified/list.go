package unmodified

// A Suite is the tests of packages of a released library.
type Suite struct {
	Name     string
	Module   string
	Version  string
	Packages []string // patterns
	Skip     string   // tests to leave out, as -skip of go test
	Why      string   // they are left out
	Env      []string // for the tests, NAME=value
	Long     Long
}

// Long are the tests of a suite whose executions are so long that fewer are run.
type Long struct {
	Tests      string // a pattern, as -run of go test
	Executions int    // of each, at most
	Why        string
}

// Suites are the libraries. Packages that use the network are left out.
var Suites = []Suite{
	{Name: "sync", Module: "golang.org/x/sync", Version: "v0.24.0", Packages: []string{"./..."}},
	{Name: "conc", Module: "github.com/sourcegraph/conc", Version: "v0.3.0", Packages: []string{"./..."}},
	{Name: "puddle", Module: "github.com/jackc/puddle/v2", Version: "v2.2.3", Packages: []string{"./..."}, Env: []string{"STRESS_TEST_DURATION=1us"},
		Skip: "^ExamplePool$", Why: "it listens on a TCP port, once in a process",
		Long: Long{"^TestReleaseAfterAcquire$", 20, "1.5 million steps each"}},
	{Name: "golang-lru", Module: "github.com/hashicorp/golang-lru/v2", Version: "v2.0.7", Packages: []string{"./..."}},
	{Name: "goleak", Module: "go.uber.org/goleak", Version: "v1.3.0", Packages: []string{"./..."}},
	{Name: "backoff", Module: "github.com/cenkalti/backoff/v5", Version: "v5.0.3", Packages: []string{"./..."},
		Skip: "^ExampleRetry$", Why: "it uses the network"},
	{Name: "gobreaker", Module: "github.com/sony/gobreaker/v2", Version: "v2.4.0", Packages: []string{"./..."}},
	{Name: "go-cache", Module: "github.com/patrickmn/go-cache", Version: "v2.1.0+incompatible", Packages: []string{"./..."}},
	{Name: "queue", Module: "github.com/eapache/queue", Version: "v1.1.0", Packages: []string{"./..."}},
	{Name: "channels", Module: "github.com/eapache/channels", Version: "v1.1.0", Packages: []string{"./..."}},
	{Name: "nats.go", Module: "github.com/nats-io/nats.go", Version: "v1.55.0", Packages: []string{"./internal/parser", "./internal/syncx"}},
	{Name: "client-go", Module: "k8s.io/client-go", Version: "v0.37.2", Packages: []string{"./util/workqueue", "./util/flowcontrol"}},
	{Name: "client-go-cache", Module: "k8s.io/client-go", Version: "v0.37.2", Packages: []string{"./tools/cache"},
		Long: Long{"^(TestEventPanics|TestHammerController|TestIndexer|TestListAll|TestReflectorListExtract|TestTransformingInformerRace)$", 2, "a third of a second each and more, or millions of steps"}},
	{Name: "workerpool", Module: "github.com/gammazero/workerpool", Version: "v1.3.0", Packages: []string{"./..."}},
	{Name: "pond", Module: "github.com/alitto/pond/v2", Version: "v2.7.1", Packages: []string{"./..."},
		Skip: "^(TestPoolSubmitWhileStoppingHasNoRace|TestSubpoolStopAndWait|TestPoolWithContextCanceled)$",
		Why:  "10,000 tasks and more, with up to seven million steps in an execution",
		Long: Long{"^(TestPoolSubmit|TestPoolMetrics|TestResultPoolMetrics)$", 30, "up to 400,000 steps each"}},
	{Name: "ants", Module: "github.com/panjf2000/ants/v2", Version: "v2.12.1", Packages: []string{"."},
		Skip: "^(TestAntsPool(WithFunc|WithFuncGeneric)?(WaitToGetWorker|GetWorkerFromCache)(PreMalloc)?|TestNoPool|TestAntsPool|TestRestCodeCoverage|TestPoolTuneScaleUp|TestRebootNewPoolCalc|TestPurgePool|TestMaxBlockingSubmit.*|Example(MultiPool.*|Pool))$",
		Why:  "100,000 goroutines, or a million steps and more in an execution"},
	{Name: "xsync", Module: "github.com/puzpuzpuz/xsync/v4", Version: "v4.5.0", Packages: []string{"."},
		Skip: "^(TestCounter.*|TestRBMutex.*|TestMap(Parallel.*|Resize.*|AtomicSnapshot|DoesNotLoseEntriesOnResize|DeleteMatching_ConcurrentResize|HashUint64_NoDifferentialBias)|TestNewMapWithPresize|TestUMPSCQueue)$",
		Why:  "Counter and RBMutex draw from runtime.cheaprand; the others make a million steps and more, or compute for seconds",
		Long: Long{"^TestMap(Compute_CancelOpOnOverflowBucket|Size|LoadOrCompute_ConcurrentExistingKey)$", 20, "up to 1.8 million steps each"}},
	{Name: "ristretto", Module: "github.com/dgraph-io/ristretto/v2", Version: "v2.4.2", Packages: []string{"."},
		Long: Long{"^(TestCacheMaxCost|TestDropUpdates|TestRistrettoCalloc|TestRistrettoCallocTTL|TestStressHitRatio|TestExpirationMapCleanup)$", 30, "up to a million steps, or a second, each"}},
	{Name: "ratelimit", Module: "go.uber.org/ratelimit", Version: "v0.3.1", Packages: []string{"./..."}},
	{Name: "atomic", Module: "go.uber.org/atomic", Version: "v1.12.0", Packages: []string{"./..."},
		Skip: "^TestNocmpIntegration$",
		Why:  "it runs the go command",
		Long: Long{"^TestStress$", 30, "450,000 steps each"}},
	{Name: "watermill", Module: "github.com/ThreeDotsLabs/watermill", Version: "v1.5.1", Packages: []string{"./message", "./pubsub/gochannel", "./pubsub/sync", "./components/fanin"},
		Skip: "^(TestPublishSubscribe_(persistent|context_preserved|race_condition_on_subscribe|flush_output_channel))$",
		Why:  "a million steps and more in an execution",
		Long: Long{"^TestMessageTransformSubscriberDecorator_Subscribe$", 100, "37,000 steps each"}},
	{Name: "ttlcache", Module: "github.com/jellydator/ttlcache/v3", Version: "v3.4.1", Packages: []string{"."}},
	{Name: "bigcache", Module: "github.com/allegro/bigcache/v3", Version: "v3.1.0", Packages: []string{".", "./queue"},
		Skip: "^(TestCacheInitialCapacity|TestAppendRandomly)$",
		Why:  "two million steps, or a second, in an execution",
		Long: Long{"^Test(WriteAndGetOnCache|AppendAndGetOnCache|CacheDel)$", 100, "half a second each"}},
	{Name: "otter", Module: "github.com/maypok86/otter/v2", Version: "v2.4.0", Packages: []string{".", "./internal/..."},
		Skip: "^(TestCache_(GC|GCWithCallbackHoldingTheCache|InPlaceUpdateDoesNotRetainOldValues|CollectedInSynctestBubble|LockHoldersScheduleRequiredDrain|IterationVisitsKeysReplacedDuringIt|InPlaceUpdateConcurrentReads|Set|EvictionOrderMergesByFrequency|InvariantsAfterConcurrentLoad|ShortenedDeadlineIsNotReadPastIt|ComputeReturnsItsOwnValue|Issue139|Eviction)|TestCoarseClock_CollectedInSynctestBubble)$",
		Why:  "they expect that the collector frees what has been used in the execution; the others make a million steps and more"},
	{Name: "juju ratelimit", Module: "github.com/juju/ratelimit", Version: "v1.0.2", Packages: []string{"."}},
	{Name: "protoactor", Module: "github.com/asynkron/protoactor-go", Version: "v0.0.0-20240822202345-3c0e61ca19c9", Packages: []string{"./internal/queue/...", "./actor"},
		Skip: "^(TestUnboundedLockfreeMailbox(Usermessage|SysMessage)Consistency|ExampleRootContext_SpawnNamed)$",
		Why:  "a million messages; the example fails when a process runs it twice, as by go test -count=2",
		Long: Long{"^TestPushPopMany", 100, "70,000 steps each"}},
	{Name: "grpc", Module: "google.golang.org/grpc", Version: "v1.85.0", Packages: []string{"./internal/grpcsync", "./internal/buffer", "./internal/cache"}},
}
