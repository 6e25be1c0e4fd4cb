"""The way in for programs: HTTP with JSON. Whoever comes with a token is the person that it is bound to, with their rights."""
