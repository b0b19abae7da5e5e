"""Long computations in processes of their own, so that they hold up no stream and no request."""

from taskclasses.kernel.processes.pool import Processes, ProcessesClosed

__all__ = ["Processes", "ProcessesClosed"]
