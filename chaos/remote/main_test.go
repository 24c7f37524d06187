package remote

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if os.Getenv(curlEnv) != "" {
		os.Exit(curl(os.Args[1:]))
	}
	goleak.VerifyTestMain(m)
}

// curlEnv is the address of the service that curl asks, whatever the host of its URL.
const curlEnv = "ROUSE_TEST_CURL"

// curl does what the program of that name does with the flags that the documents use, and prints
// the status and the answer.
func curl(args []string) (exitCode int) {
	method, url, body := http.MethodGet, "", ""
	header := http.Header{}
	for i := 0; i < len(args); i++ {
		flag := args[i]
		if !strings.HasPrefix(flag, "-") {
			url = flag
			continue
		}
		if i++; i == len(args) {
			return 2
		}
		switch flag {
		case "-X":
			method = args[i]
		case "-H":
			name, value, _ := strings.Cut(args[i], ": ")
			header.Add(name, value)
		case "--data-binary":
			text, err := os.ReadFile(strings.TrimPrefix(args[i], "@"))
			if err != nil {
				fmt.Println(err)
				return 2
			}
			method, body = http.MethodPost, string(text)
		default:
			fmt.Println("unknown flag", flag)
			return 2
		}
	}
	_, path, _ := strings.Cut(strings.TrimPrefix(url, "http://"), "/")
	r, err := http.NewRequest(method, os.Getenv(curlEnv)+"/"+strings.TrimPrefix(path, "chaos/"), strings.NewReader(body))
	if err != nil {
		fmt.Println(err)
		return 2
	}
	r.Header = header
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		fmt.Println(err)
		return 2
	}
	text, _ := io.ReadAll(response.Body)
	fmt.Printf("%s %d %s", r.URL.Path, response.StatusCode, text)
	return 0
}

// TestImportAddsNoFlags: the command line of a service is its own, in both builds.
func TestImportAddsNoFlags(t *testing.T) {
	for _, tags := range []string{"", "chaos"} {
		out, err := exec.Command("go", "run", "-tags", tags, "./testdata/flags").CombinedOutput()
		if err != nil || len(out) > 0 {
			t.Errorf("-tags %q: %v, and it has the flags\n%s", tags, err, out)
		}
	}
}
