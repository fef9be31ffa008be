"""Errors a user can act on: each message says what happened, to what, and what to do next."""


class RobotMemoryError(Exception):
    """Base of every error meant for a person. The command line prints its message without a traceback."""


class ModelMissing(RobotMemoryError):
    """A model file the profile needs is absent."""


class ModelCorrupt(RobotMemoryError):
    """A model file's bytes do not match the manifest."""


class SettingsInvalid(RobotMemoryError):
    """A setting is out of its range or of the wrong type."""


class StoreLocked(RobotMemoryError):
    """Another process is the store's writer."""


class StoreUnreadable(RobotMemoryError):
    """The file is not a store, is damaged, or was written by a newer version."""


class SpoolCorrupt(RobotMemoryError):
    """A spooled clip cannot be read back."""


class BagUnreadable(RobotMemoryError):
    """A bag cannot be opened, or holds nothing that can be remembered."""


class Cancelled(RobotMemoryError):
    """Work was stopped at the user's request."""
