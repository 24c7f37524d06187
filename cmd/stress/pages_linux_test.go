package main

import (
	"encoding/json"
	"html"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// pageData is what a page holds of an execution.
type pageData struct {
	Minimal struct {
		Lanes []struct{ Title string }
		Steps []struct {
			Text, File string
			Line       int
		}
		Marks   []struct{ Kind string }
		Objects map[int]string
	}
	Sources map[string]map[int]string
}

var dataOfPage = regexp.MustCompile(`(?s)<script type="application/json" id="data">(.*?)</script>`)

// readPage reads a page, which must hold an execution with these texts.
func readPage(t *testing.T, file string, want ...string) (d pageData) {
	t.Helper()
	text := readFile(t, file)
	found := dataOfPage.FindStringSubmatch(text)
	if found == nil {
		t.Fatalf("%s: it has no data", file)
	}
	if err := json.Unmarshal([]byte(found[1]), &d); err != nil || len(d.Minimal.Steps) < 2 || len(d.Minimal.Lanes) < 2 || len(d.Sources) == 0 {
		t.Errorf("%s: %v, %d steps, %d lanes, sources of %d files", file, err, len(d.Minimal.Steps), len(d.Minimal.Lanes), len(d.Sources))
	}
	for _, w := range want {
		if !strings.Contains(text, w) {
			t.Errorf("%s has no %q", file, w)
		}
	}
	return d
}

// recordScenario runs a scenario under control that fails, and returns its shortest recording.
func recordScenario(t *testing.T, dir string) string {
	t.Helper()
	write(t, dir, "long.yaml", longFile)
	in(t, dir, chaosBinary, "run", "--file", "long.yaml", "--executions", "2000", "--seed", "5", "--quiet", "dropped-rarely").want(t, 1)
	files, _ := filepath.Glob(filepath.Join(dir, defaultOut, "*.min.rouse"))
	if len(files) != 1 {
		t.Fatalf("recorded %q", files)
	}
	return filepath.Join(defaultOut, filepath.Base(files[0]))
}

// TestPageOfAScenario: stress explain --html of a controlled scenario shows the steps, the sources, the names of
// objects, and what the subject says.
func TestPageOfAScenario(t *testing.T) {
	dir := t.TempDir()
	recording := recordScenario(t, dir)
	got := in(t, dir, chaosBinary, "explain", recording, "--html", "page.html")
	got.want(t, 0)
	if !strings.Contains(got.out, "\npage: page.html\n") {
		t.Errorf("it prints %s", got.out)
	}
	d := readPage(t, filepath.Join(dir, "page.html"), "<h1>scenario dropped-rarely</h1>", "lost-wakeup", "dropped by the plan at sleep/wake-notify", "replay "+recording)
	if len(d.Minimal.Marks) == 0 || len(d.Minimal.Objects) == 0 {
		t.Errorf("%d marks, %d names", len(d.Minimal.Marks), len(d.Minimal.Objects))
	}
}

// TestPageOfANativeRecording: it has none, and the error says what to do; nothing is written.
func TestPageOfANativeRecording(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "scenarios.yaml", scenarioFile)
	in(t, dir, chaosBinary, "run", "--file", "scenarios.yaml", "--executions", "1", "--search", "0", "--quiet", "fails").want(t, 1)
	files, _ := filepath.Glob(filepath.Join(dir, defaultOut, "*.rouse"))
	if len(files) != 1 {
		t.Fatalf("recorded %q", files)
	}
	before := tree(t, dir)
	got := in(t, dir, chaosBinary, "explain", files[0], "--html", "page.html")
	got.want(t, 2)
	want := "stress: --html page.html: " + files[0] + " is a native recording, and a page shows controlled executions only; to search for the failure under control: "
	if !strings.HasPrefix(got.errs, want) || !strings.HasSuffix(got.errs, " shrink "+files[0]+"\n") || len(tree(t, dir)) != len(before) {
		t.Errorf("got %s and %q", got.errs, tree(t, dir))
	}
}

const exploreTest = `package q

import (
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/sync"
)

func TestClose(t *testing.T) {
	chaos.Explore(t, func(c *chaos.C) {
		var mu sync.Mutex
		var closed atomic.Bool
		filled := sync.NewCond(&mu)
		go hooks.Task(func() { closed.Store(true); filled.Signal() })()
		mu.Lock()
		if !closed.Load() {
			filled.Wait()
		}
		mu.Unlock()
	})
}
`

// exploreModule writes a module with a test that calls chaos.Explore, and returns its recording.
func exploreModule(t *testing.T) (dir, recording string) {
	t.Helper()
	t.Setenv("GOFLAGS", "")
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	write(t, dir, "go.mod", strings.Replace(readFile(t, filepath.Join(root, "go.mod")), "module github.com/rouse-go/rouse", "module example.com/q", 1)+
		"\nrequire github.com/rouse-go/rouse v0.0.0\nreplace github.com/rouse-go/rouse => "+root+"\n")
	write(t, dir, "go.sum", readFile(t, filepath.Join(root, "go.sum")))
	write(t, dir, "q_test.go", exploreTest)
	cmd := exec.Command("go", "test", "-tags", "chaos", ".")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	files, _ := filepath.Glob(filepath.Join(dir, "testdata", "chaos", "TestClose", "*.rouse"))
	if err == nil || len(files) != 1 {
		t.Fatalf("recorded %q: %v\n%s", files, err, out)
	}
	return dir, files[0]
}

// TestPageOfExplore: stress explain --html of a recording of chaos.Explore runs the test, from whatever folder. If
// that passes, or does not compile, there is no page.
func TestPageOfExplore(t *testing.T) {
	dir, recording := exploreModule(t)
	elsewhere := t.TempDir()
	got := in(t, elsewhere, plainBinary, "explain", recording, "--html", "page.html")
	got.want(t, 0)
	d := readPage(t, filepath.Join(elsewhere, "page.html"), "<h1>example.com/q TestClose</h1>", "no task can continue",
		"go test -tags chaos -run &#39;^TestClose$&#39; example.com/q -chaos.replay="+recording)
	names := map[string]bool{}
	for _, name := range d.Minimal.Objects {
		names[name] = true
	}
	if !names["closed"] || !names["filled"] || !names["mu"] {
		t.Errorf("the objects are %v", d.Minimal.Objects)
	}
	for text, want := range map[string]struct {
		code         int
		out, message string
	}{
		strings.Replace(exploreTest, "mu.Lock()", "mu.Lock(); closed.Store(true)", 1): {1, "no page: the recorded failure does not happen any more\n", ""},
		strings.Replace(exploreTest, "mu.Lock()", "mu.Lock(1)", 1):                    {2, "", "go test has not repeated it:\n"},
		strings.Replace(exploreTest, "TestClose", "TestOpen", 1):                      {2, "", "go test has not repeated it:\n"},
	} {
		write(t, dir, "q_test.go", text)
		os.Remove(filepath.Join(elsewhere, "page.html"))
		got := in(t, dir, chaosBinary, "explain", recording, "--html", filepath.Join(elsewhere, "page.html"))
		got.want(t, want.code)
		if !strings.HasSuffix(got.out, want.out) || !strings.Contains(got.errs, want.message) || len(tree(t, elsewhere)) != 1 {
			t.Errorf("got %s%s and %q, want %q and %q", got.out, got.errs, tree(t, elsewhere), want.out, want.message)
		}
	}
}

// TestPageRefused: a file that cannot be written is refused before anything runs.
func TestPageRefused(t *testing.T) {
	dir := t.TempDir()
	recording := recordScenario(t, dir)
	for name, want := range map[string]string{
		"none/page.html": "stress: --html none/page.html: no such file or directory\n",
		".":              "stress: --html .: a folder, want a file\n",
	} {
		if got := in(t, dir, chaosBinary, "explain", recording, "--html", name); got.code != 2 || got.out != "" || got.errs != want {
			t.Errorf("%s: exit code %d\n%s%s", name, got.code, got.out, got.errs)
		}
	}
}

var links = regexp.MustCompile(`href="([^"]*)"|\]\(<([^>]*)>\)`)

// checkLinks follows the links of a report, and returns the files to which they lead, by their base names.
func checkLinks(t *testing.T, report string) (names []string) {
	t.Helper()
	for _, m := range links.FindAllStringSubmatch(readFile(t, report), -1) {
		link := html.UnescapeString(m[1] + m[2])
		if strings.HasPrefix(link, "#") {
			continue
		}
		u, err := url.Parse(link)
		if err != nil || u.Scheme != "" || filepath.IsAbs(u.Path) {
			t.Errorf("%s: the link %q: %v", report, link, err)
			continue
		}
		file := filepath.Join(filepath.Dir(report), filepath.FromSlash(u.Path))
		if _, err := os.Stat(file); err != nil {
			t.Errorf("%s: the link %q: %v", report, link, err)
		}
		if name := filepath.Base(file); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// TestPagesOfACampaign: --report with a folder has an index, and a page of each unexpected failure that was
// controlled. All other reports name it, and those for people lead to it, wherever the artifacts are unpacked.
func TestPagesOfACampaign(t *testing.T) {
	was := t.TempDir()
	dir := filepath.Join(was, "here")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	native := strings.Replace(scenarioFile[strings.Index(scenarioFile, "  - name: fails"):], "name: fails", "name: index", 1)
	native = native[:strings.Index(native[3:], "  - name: ")+3]
	write(t, dir, "all.yaml", longFile+native)
	args := []string{"run", "--file", "all.yaml", "--executions", "700", "--seed", "5", "--quiet", "--search", "0"}
	reports := []string{"--report", "pages/", "--report", "r.md", "--report", "r.html", "--json", "j", "--junit", "u.xml"}
	got := in(t, dir, chaosBinary, append(append(args, reports...), "dropped-rarely", "explored", "index")...)
	got.want(t, 1)
	if want := "\n      page: pages/dropped-rarely.html\n"; !strings.Contains(got.out, want) {
		t.Errorf("it prints %s, want %s", got.out, want)
	}
	const noPage = "no page: the failure is native, and a page shows controlled executions only"
	for name, want := range map[string][]string{
		"u.xml": {"page: pages/dropped-rarely.html", noPage}, "j": {`"page":"pages/dropped-rarely.html"`}, "pages/index.html": {noPage, "replay rouse-out/dropped-rarely-"},
	} {
		for _, w := range want {
			if text := readFile(t, filepath.Join(dir, name)); !strings.Contains(text, w) {
				t.Errorf("%s has no %q:\n%s", name, w, text)
			}
		}
	}
	moved := filepath.Join(was, "there")
	if err := os.Rename(dir, moved); err != nil {
		t.Fatal(err)
	}
	for _, report := range []string{"pages/index.html", "r.md", "r.html"} {
		if names := checkLinks(t, filepath.Join(moved, report)); !slices.Contains(names, "dropped-rarely.html") || len(names) < 4 {
			t.Errorf("%s leads to %q", report, names)
		}
	}
	page := filepath.Join(moved, "pages", "dropped-rarely.html")
	readPage(t, page, "lost-wakeup")
	if !strings.Contains(dataOfPage.FindStringSubmatch(readFile(t, page))[1], `"found":{`) {
		t.Error("the page has not the execution as it was found")
	}
	if names := tree(t, filepath.Join(moved, "pages")); len(names) != 3 {
		t.Errorf("in the folder are %q", names)
	}
	// A merged report has the pages of what is recorded here.
	in(t, moved, chaosBinary, append(slices.Clone(args[:7]), "--search", "0", "--quiet", "--shard", "0/1", "--json", "s0", "dropped-rarely")...)
	in(t, moved, chaosBinary, "merge", "s0", "--report", "merged").want(t, 1)
	if names := checkLinks(t, filepath.Join(moved, "merged", "index.html")); !slices.Contains(names, "dropped-rarely.html") {
		t.Errorf("the merged report leads to %q", names)
	}
}

// TestPageOfASearch: a native failure has the page of what the search under control has found.
func TestPageOfASearch(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "scenarios.yaml", scenarioFile)
	in(t, dir, chaosBinary, "run", "--file", "scenarios.yaml", "--executions", "1", "--search", "2000", "--quiet", "--report", "pages", "fails").want(t, 1)
	readPage(t, filepath.Join(dir, "pages", "fails.html"), "lost-wakeup", ".control.rouse")
	if names := checkLinks(t, filepath.Join(dir, "pages", "index.html")); !slices.Contains(names, "fails.html") || len(names) < 3 {
		t.Errorf("the index leads to %q", names)
	}
}

// pagedTests fail in several ways, with names and messages that are markup.
const pagedTests = failingTest + `
func TestHostile(t *testing.T) {
	t.Run("<script>document.title='injected'</script>", func(t *testing.T) {
		c := make(chan int, 1)
		go func() { c <- 1 }()
		select { case <-c: default: t.Error("</script><img src=x onerror=alert(1)> {{.}}") }
	})
}

func TestDies(t *testing.T) {
	m := map[int]int{}
	done := make(chan bool)
	go func() { for i := range 10 { m[i] = i }; close(done) }()
	<-done
	panic("dies")
}
`

// TestPagesOfTests: stress test --report with a folder: the same.
func TestPagesOfTests(t *testing.T) {
	dir := moduleOf(t, map[string]string{"failing": pagedTests, "passing": passingTest, "broken": brokenTest})
	args := []string{"test", "./...", "--executions", "100", "--seed", "1", "--quiet", "--report", "out/pages", "--report", "r.md", "--report", "r.html", "--json", "j", "--junit", "u.xml"}
	got := in(t, dir, plainBinary, args...)
	got.want(t, 1)
	pages := []string{"example.com-m-failing-TestFails.html", "example.com-m-failing-TestHostile.html", "example.com-m-failing-TestDies.html"}
	first := map[string]string{}
	for _, name := range pages {
		file := filepath.Join("out", "pages", name)
		first[name] = readFile(t, filepath.Join(dir, file))
		if name != pages[2] {
			readPage(t, filepath.Join(dir, file), "wrong-result")
		}
		for _, report := range []string{"j", "u.xml"} {
			if !strings.Contains(readFile(t, filepath.Join(dir, report)), file) {
				t.Errorf("%s does not name %s", report, file)
			}
		}
		if !strings.Contains(got.out, "\n      page: "+file+"\n") {
			t.Errorf("it prints %s", got.out)
		}
	}
	for _, report := range []string{"out/pages/index.html", "r.html"} {
		names := checkLinks(t, filepath.Join(dir, report))
		for _, page := range pages {
			if !slices.Contains(names, page) {
				t.Errorf("%s leads to %q", report, names)
			}
		}
		text := readFile(t, filepath.Join(dir, report))
		if strings.Contains(text, "<script") || strings.Contains(text, "<img") || strings.Contains(text, "\u202e") || !strings.Contains(text, "&lt;script&gt;") {
			t.Errorf("%s: what the tests say is not escaped: %s", report, text)
		}
		for _, want := range []string{"example.com/m/broken cannot be tested", "TestPasses", "--replay failing/testdata/chaos/TestFails/"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s has no %q", report, want)
			}
		}
	}
	checkLinks(t, filepath.Join(dir, "r.md"))
	for _, name := range pages[:2] {
		if text := first[name]; strings.Count(text, "<script") != 2 || strings.Contains(text, "<img") || strings.Contains(text, "\u202e") {
			t.Errorf("%s: what the test says is not escaped", name)
		}
	}
	// The same run again, of which the recordings are repeated first, has the same files.
	in(t, dir, plainBinary, args...).want(t, 1)
	if names := tree(t, filepath.Join(dir, "out", "pages")); len(names) != 1+1+len(pages) {
		t.Errorf("in the folder are %q", names)
	}
}

// TestPagesOfNativeTests: a page shows what the search under control has found.
func TestPagesOfNativeTests(t *testing.T) {
	dir := moduleOf(t, map[string]string{"failing": "import \"time\"\n\nfunc TestFails(t *testing.T) { c := make(chan int, 1); go func() { c <- 1 }(); select { case <-c: default: t.Error(\"empty\") } }\n" +
		"func TestVirtual(t *testing.T) { if a, b := time.Now(), time.Now(); b.Sub(a) != 1 { t.Error(\"time is real\") } }\n"})
	got := in(t, dir, plainBinary, "test", "./failing", "--native", "--executions", "500", "--search", "100", "--quiet", "--report", "pages")
	got.want(t, 1)
	if strings.Contains(got.out, "not searched for") || !strings.Contains(got.out, "page: pages/example.com-m-failing-TestFails.html\n") || !strings.Contains(got.out, "no page: the failure is native, and a page shows controlled executions only\n") {
		t.Errorf("it prints %s", got.out)
	}
	readPage(t, filepath.Join(dir, "pages", "example.com-m-failing-TestFails.html"), "--replay failing/testdata/chaos/TestFails/")
	checkLinks(t, filepath.Join(dir, "pages", "index.html"))
}

// TestInterruptedPages: after a signal there are the index, and whole pages, and no temporary file.
func TestInterruptedPages(t *testing.T) {
	dir := moduleOf(t, map[string]string{"a": failingTest, "b": slowTest})
	cmd := exec.Command(plainBinary, "test", "./a", "./b", "--for", "10m", "--procs", "1", "--quiet", "--report", "pages/")
	cmd.Dir = dir
	page := filepath.Join(dir, "pages", "example.com-m-a-TestFails.html")
	go func() {
		for range 1200 {
			if _, err := os.Stat(page); err == nil {
				break
			}
			time.Sleep(100 * time.Millisecond)
		}
		cmd.Process.Signal(syscall.SIGINT)
	}()
	finish(t, cmd).want(t, 130)
	readPage(t, page)
	if names := checkLinks(t, filepath.Join(dir, "pages", "index.html")); len(names) != 2 {
		t.Errorf("the index leads to %q", names)
	}
	if left := strings.Join(tree(t, dir), " "); strings.Contains(left, ".tmp") {
		t.Errorf("left %s", left)
	}
}

// TestPagesOnFullDisk: a page that cannot be written is an error of the tool, and leaves nothing of itself.
func TestPagesOnFullDisk(t *testing.T) {
	dir := moduleOf(t, map[string]string{"a": failingTest})
	in(t, dir, plainBinary, "test", "./a", "--executions", "100", "--seed", "1").want(t, 1) // recorded, and built
	if err := os.MkdirAll(filepath.Join(dir, "pages", "example.com-m-a-TestFails.html"), 0o700); err != nil {
		t.Fatal(err)
	}
	got := in(t, dir, plainBinary, "test", "./a", "--executions", "100", "--seed", "1", "--quiet", "--report", "pages")
	got.want(t, 3)
	if want := "stress: --report: pages/example.com-m-a-TestFails.html: a folder, want a file\n"; !strings.HasSuffix(got.errs, want) {
		t.Errorf("got %s, want %s", got.errs, want)
	}
	if names := checkLinks(t, filepath.Join(dir, "pages", "index.html")); len(names) != 1 {
		t.Errorf("the index leads to %q", names)
	}
}
