"""Engine values to view models: typed, JSON-able, no decisions left to the window."""
