package e2e_test

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/mxschmitt/playwright-go"
)

// maxBrowsers bounds how many tests run at once, each with a browser of its own.
const maxBrowsers = 4

// The browsers that no test uses now, and the source of the accessibility checker.
var (
	idle = make(chan playwright.Browser, maxBrowsers)
	axe  string
)

func TestMain(m *testing.M) {
	flag.Parse()
	if testing.Short() {
		fmt.Println("e2e: the browser tests do not run with -short")
		return
	}
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (code int, err error) {
	source, err := os.ReadFile(module("axe-core/axe.min.js"))
	if err != nil {
		return 1, errors.New("the npm packages are missing; run: npm ci")
	}
	axe = string(source)
	for range min(runtime.GOMAXPROCS(0), maxBrowsers) {
		driver, err := startDriver()
		if err != nil {
			return 1, err
		}
		defer func() { err = errors.Join(err, driver.Stop()) }()
		browser, err := launch(driver)
		if err != nil {
			return 1, err
		}
		defer func() { err = errors.Join(err, browser.Close()) }()
		idle <- browser
	}
	return m.Run(), nil
}

// taken are the browsers of the tests that run.
var taken sync.Map

// take lets the test run beside others and gives it a browser of its own.
func take(t *testing.T) playwright.Browser {
	t.Helper()
	if b, ok := taken.Load(t); ok {
		return b.(playwright.Browser)
	}
	t.Parallel()
	b := <-idle
	taken.Store(t, b)
	t.Cleanup(func() {
		taken.Delete(t)
		idle <- b
	})
	return b
}

// module is the path of a file of an npm package.
func module(name string) string { return filepath.Join("..", "node_modules", name) }

// startDriver uses what is installed and fetches nothing. The version of
// playwright-core must be the one that the Go module was made for.
func startDriver() (*playwright.Playwright, error) {
	node, err := exec.LookPath("node")
	if err != nil {
		return nil, errors.New("node is missing; run: apt-get install --no-install-recommends nodejs npm")
	}
	cli, err := filepath.Abs(module("playwright-core/cli.js"))
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(cli); err != nil {
		return nil, errors.New("playwright-core is missing; run: npm ci")
	}
	for name, value := range map[string]string{"PLAYWRIGHT_NODEJS_PATH": node, "PLAYWRIGHT_CLI_PATH": cli} {
		if err := os.Setenv(name, value); err != nil {
			return nil, err
		}
	}
	driver, err := playwright.Run()
	if err != nil {
		return nil, fmt.Errorf("the browser driver does not start; run: npm ci: %w", err)
	}
	return driver, nil
}

// unused are features of the browser that no page needs. The second list of
// --disable-features replaces the first, so it repeats what the driver switches
// off. The first two load a page of the browser's own each beside every page, which
// nobody sees without a window: a fifth of the time of a test.
var unused = []string{
	"WebUIOmniboxPopup", "WebUIOmniboxAimPopup",
	"AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "DialMediaRouteProvider",
	"GlobalMediaControls", "HttpsUpgrades", "LensOverlay", "MediaRouter", "PaintHolding",
	"ThirdPartyStoragePartitioning", "BlockOriginHeaderModificationOnRedirect",
	"AvoidCorsURLLoaderRestartOnRedirect", "Translate", "OptimizationHints",
	"NetworkTimeServiceQuerying", "AimEnabled",
}

func launch(driver *playwright.Playwright) (playwright.Browser, error) {
	path, err := chromium()
	if err != nil {
		return nil, err
	}
	b, err := driver.Chromium.Launch(playwright.BrowserTypeLaunchOptions{
		ExecutablePath:  &path,
		ChromiumSandbox: new(os.Getuid() != 0),
		Args: []string{
			"--disable-quic", "--no-first-run", "--disable-background-networking",
			"--disable-component-update", "--disable-sync", "--disable-gpu",
			"--disable-features=" + strings.Join(unused, ","),
		},
	})
	if err != nil {
		return nil, fmt.Errorf("%s does not start: %w", path, err)
	}
	return b, nil
}

func chromium() (string, error) {
	found, lookErr := exec.LookPath("chromium")
	for _, path := range []string{os.Getenv("E2E_CHROMIUM"), "/usr/bin/chromium", found} {
		if _, err := os.Stat(path); path != "" && err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("chromium is missing; run: apt-get install --no-install-recommends chromium (or set E2E_CHROMIUM): %w", cmp.Or(lookErr, os.ErrNotExist))
}
