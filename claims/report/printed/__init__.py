"""The printed sentences of a document, which are not stored here: found in a copy of it that the user has."""
