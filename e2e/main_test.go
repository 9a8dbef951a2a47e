package e2e_test

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/mxschmitt/playwright-go"
)

// The one browser of the run, and the source of the accessibility checker.
var (
	browser playwright.Browser
	axe     string
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
	driver, err := startDriver()
	if err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, driver.Stop()) }()
	if browser, err = launch(driver); err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, browser.Close()) }()
	return m.Run(), nil
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
