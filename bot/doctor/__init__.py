"""What is checked before, and while, a bot runs: each check says what it saw, and how to mend what is wrong."""
