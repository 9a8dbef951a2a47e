package app_test

import (
	"os"
	"strconv"
)

func pid() string { return strconv.Itoa(os.Getpid()) }
