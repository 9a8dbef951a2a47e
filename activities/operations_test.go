package activities_test

import (
	"testing"

	"personal-workspace/activities/activitiestest"
)

// TestOperations runs the shared cases through the service.
func TestOperations(t *testing.T) {
	activitiestest.Run(t, func(t *testing.T) (activitiestest.Client, activitiestest.World) {
		return activitiestest.Service(newWorld(t).Service), activitiestest.World{ConnectionID: "conn_a", Now: noon}
	})
}
