package egress

// Guard is the guarded client's hook, for tests of single addresses.
var Guard = guard()
