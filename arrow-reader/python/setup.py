"""Puts the jars of the built command line into the wheel."""

from __future__ import annotations

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

REPOSITORY = Path(__file__).resolve().parents[2]
CLI = REPOSITORY / "cli" / "target"

# Hadoop makes two fifths of the size, and serves HDFS and Parquet files alone: it is found
# through HADOOP_CLASSPATH where there is Hadoop.
LEFT_OUT = ("hadoop-client-",)


def jars() -> list[Path]:
    """The command line and its libraries, as Maven has built them."""
    main = sorted(CLI.glob("batchweave-cli-*.jar"))
    libraries = sorted(CLI.glob("lib/*.jar"))
    if len(main) != 1 or not libraries:
        raise SystemExit(
            f"Cannot build the Python package: there are no jars in {CLI}; run './batchweave"
            " --version' or 'mvn -DskipTests -pl cli -am package' in the repository first, and"
            " install from there"
        )
    return [jar for jar in main + libraries if not jar.name.startswith(LEFT_OUT)]


class BuildWithJars(build_py):  # type: ignore[misc]
    """Copies the modules and the jars; none of an older build may stay."""

    def run(self) -> None:
        package = Path(self.build_lib) / "batchweave"
        is_used_in_place = getattr(self, "editable_mode", False)
        if not is_used_in_place:
            shutil.rmtree(package, ignore_errors=True)
        super().run()
        if is_used_in_place:
            # It finds the jars in the checkout.
            return
        folder = package / "jars"
        folder.mkdir(parents=True)
        for jar in jars():
            shutil.copy2(jar, folder / jar.name)


setup(cmdclass={"build_py": BuildWithJars}, options={"build": {"build_base": "target"}})
