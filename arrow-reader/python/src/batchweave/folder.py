"""Where the sidecar of this user and node is found."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path

from batchweave.errors import CannotStart, NoAccess

SHM_DIR = "/dev/shm"


@dataclass(frozen=True)
class SidecarOptions:
    """How the sidecar is found, and started if there is none.

    Attributes:
        socket: of a sidecar that runs as a service; then none is started. None: this user's own.
        shm_dir: a folder in memory, for the arena and the socket.
        memory: how much of it the arena may take, such as ``8g``; None: the sidecar decides.
    """

    socket: str | None = None
    shm_dir: str = SHM_DIR
    memory: str | None = None

    @staticmethod
    def given(socket: str | None, shm_dir: str | None, memory: str | None) -> SidecarOptions:
        """What is left out comes from the environment.

        A relative folder is made absolute: the sidecar stands in another one.
        """
        environment = os.environ.get
        return SidecarOptions(
            socket=socket or environment("BATCHWEAVE_SOCKET") or None,
            shm_dir=os.path.abspath(shm_dir or environment("BATCHWEAVE_SHM_DIR") or SHM_DIR),
            memory=memory or environment("BATCHWEAVE_MEMORY") or None,
        )

    @property
    def folder(self) -> Path:
        """This user's folder: mode 0700, with the socket, the locks, the log and the arena."""
        return Path(self.shm_dir) / f"batchweave-{os.getuid()}"

    @property
    def socket_path(self) -> str:
        return self.socket or str(self.folder / "sidecar.sock")

    @property
    def log(self) -> Path:
        return self.folder / "sidecar.log"

    @property
    def start_lock(self) -> Path:
        return self.folder / "start.lock"

    def check_owner(self) -> None:
        """DELIVER-1: what another user owns is used only if it was named.

        Raises:
            NoAccess: another user owns the folder or the socket, or may write there.
        """
        if self.socket is not None:
            return
        for path in (self.folder, Path(self.socket_path)):
            try:
                status = os.lstat(path)
            except FileNotFoundError:
                continue
            except PermissionError as e:
                raise NoAccess(f"Cannot use {path}: {e.strerror}; name another shm_dir") from e
            if status.st_uid != os.getuid():
                raise NoAccess(
                    f"Cannot use {path}: user {status.st_uid} owns it, and this is user"
                    f" {os.getuid()}; name it with socket= if you trust its owner"
                )
        if self.folder.exists() and not stat.S_ISDIR(os.lstat(self.folder).st_mode):
            raise NoAccess(f"Cannot use {self.folder}: it is no folder; remove it")

    def make_folder(self) -> None:
        """Makes the folder if there is none, for this user alone.

        Raises:
            CannotStart: it cannot be made.
            NoAccess: another user has made it.
        """
        try:
            self.folder.mkdir(mode=0o700, exist_ok=True)
        except OSError as e:
            raise CannotStart(
                f"Cannot start the sidecar: there can be no folder {self.folder} ({e.strerror});"
                " name a folder in memory with shm_dir= or BATCHWEAVE_SHM_DIR"
            ) from e
        self.check_owner()
        if stat.S_IMODE(os.lstat(self.folder).st_mode) & 0o077:
            os.chmod(self.folder, 0o700)
