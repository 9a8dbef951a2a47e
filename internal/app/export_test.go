package app

import "context"

// Owner is one background part, for tests of how they are started and stopped.
type Owner struct {
	Name string
	Run  func(context.Context) error
}

// RunOwners is runOwners.
func RunOwners(ctx context.Context, owners ...Owner) error {
	var list []owner
	for _, o := range owners {
		list = append(list, owner{o.Name, o.Run})
	}
	return runOwners(ctx, list)
}

// Every is every.
var Every = every

// CheckAccess is the check of Config.Listen that New makes first.
func CheckAccess(c Config) error {
	c.setDefaults()
	return c.checkAccess()
}
