// Package activitiestest has the cases of the operations on activities. The same
// table runs through every way in, so that a form and a tool call meet the same
// rules and get the same answers. No way in has all operations: assistants
// publish and cannot decide, the person decides and does not publish. So a front
// end brings those it has and takes the others from Service:
//
//	type forms struct {
//		activitiestest.Client // of the service
//		…
//	}
//
//	func (f forms) Decide(t *testing.T, d activities.Decide) activitiestest.Outcome { … }
package activitiestest
