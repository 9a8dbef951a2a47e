package activities_test

import (
	"testing"

	"personal-workspace/activities/activitiestest"
)

// TestOperations runs the shared cases through the service.
func TestOperations(t *testing.T) {
	activitiestest.Run(t, func(t *testing.T) (activitiestest.Client, activitiestest.World) {
		w := newWorld(t)
		w.show("conn_a", activitiestest.Post(noon))
		return activitiestest.Service(w.Service), activitiestest.World{ConnectionID: "conn_a", Now: noon}
	})
}
