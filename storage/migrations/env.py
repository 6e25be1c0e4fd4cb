"""Runs the revisions on the connection, and in the transaction, that the program hands over."""

from alembic import context

from storage.tables import Row

context.configure(connection=context.config.attributes["connection"], target_metadata=Row.metadata)
with context.begin_transaction():
    context.run_migrations()
