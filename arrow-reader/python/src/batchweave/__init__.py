"""Training batches from an object store, as zero-copy numpy, torch and Arrow views.

    import batchweave
    data = batchweave.dataset("s3://bucket/wh", "train.pretrain", job="run7", mesh={"dp": (0, 2)})
    for batch in data:
        loss = model(batch["tokens"])

One process per node, the sidecar, fetches each slice once, checks it and puts it into shared
memory; this package maps it. Chosen so, and not as a library in each trainer, because ranks of a node share
slices, because a trainer's interpreter lock must not hold up fetching, and because mapped files outlive
whoever wrote them. The memory is private to each process, page by page once it writes: arrays are writable,
and nobody sees another's writes.
"""

from batchweave.batch import Batch, Rows, Slice
from batchweave.dataset import Dataset, dataset
from batchweave.errors import (
    BatchWeaveError,
    CannotStart,
    CommitUnknown,
    Corrupt,
    Expired,
    Fenced,
    Internal,
    InvalidRequest,
    NoAccess,
    Unavailable,
    Unsupported,
)
from batchweave.producer import Committed, Producer, Published, producer
from batchweave.reader import Checkpoint
from batchweave.version import VERSION as __version__

__all__ = [
    "Batch",
    "BatchWeaveError",
    "CannotStart",
    "Checkpoint",
    "CommitUnknown",
    "Committed",
    "Corrupt",
    "Dataset",
    "Expired",
    "Fenced",
    "Internal",
    "InvalidRequest",
    "NoAccess",
    "Producer",
    "Published",
    "Rows",
    "Slice",
    "Unavailable",
    "Unsupported",
    "__version__",
    "dataset",
    "producer",
]
