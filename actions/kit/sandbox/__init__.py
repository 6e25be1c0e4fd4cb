"""Where scripts run that nobody vouches for: apart from this process, within limits, one step at a time."""
