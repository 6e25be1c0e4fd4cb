"""Who people are: Slack, a YAML file and on-call calendars behind one seam."""
