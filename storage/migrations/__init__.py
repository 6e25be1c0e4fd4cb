"""The history of the schema, one file per revision; run by `storage.schema` on a connection that it hands over."""
