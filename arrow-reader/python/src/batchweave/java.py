"""Finds a Java and the jars, and makes a command line of them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

from batchweave.errors import CannotStart

JAVA_LEAST = 17
MAIN = "io.batchweave.cli.Main"
FLAGS = "-XX:+UseSerialGC -Xmx512m"

_REMEDY = f"install a JDK {JAVA_LEAST} or newer, or set JAVA_HOME to one"
_UNSAFE_WARNS_FROM = 24
_VERSION_SECONDS = 30


def command(*arguments: str, flags: str = FLAGS) -> list[str]:
    """The command line that runs ``batchweave`` with these arguments.

    ``BATCHWEAVE_JAVA_OPTS``, if set, takes the place of the flags.

    Raises:
        CannotStart: there is no Java, an old one, or no jars.
    """
    java, major = find_java()
    home, jars = find_jars()
    line = [java, "--add-opens=java.base/java.nio=ALL-UNNAMED"]
    if major >= _UNSAFE_WARNS_FROM:
        line.append("--sun-misc-unsafe-memory-access=allow")
    line += os.environ.get("BATCHWEAVE_JAVA_OPTS", flags).split()
    parts = [os.environ.get("HADOOP_CONF_DIR", ""), *jars, os.environ.get("HADOOP_CLASSPATH", "")]
    line += [f"-Dbatchweave.home={home}", "-cp", os.pathsep.join(part for part in parts if part)]
    return [*line, MAIN, *arguments]


def find_java() -> tuple[str, int]:
    """The Java of JAVA_HOME, or else of PATH, and its major version."""
    home = os.environ.get("JAVA_HOME")
    if home:
        java = str(Path(home) / "bin" / "java")
        if not os.access(java, os.X_OK):
            raise CannotStart(
                f"Cannot start batchweave: JAVA_HOME is {home}, which has no bin/java; {_REMEDY}"
            )
    else:
        found = shutil.which("java")
        if found is None:
            raise CannotStart(f"Cannot start batchweave: there is no Java; {_REMEDY}")
        java = found
    version = _version(java)
    numbers = re.match(r"\d+", version)
    major = int(numbers.group()) if numbers else 0
    if major < JAVA_LEAST:
        raise CannotStart(f"Cannot start batchweave: {java} is Java {version}; {_REMEDY}")
    return java, major


def _version(java: str) -> str:
    # A JDK's file `release` tells its version in no time; `java -version` is slow.
    release = Path(java).resolve().parents[1] / "release"
    try:
        told = re.search(r'^JAVA_VERSION="?([^"\n]+)', release.read_text(), re.MULTILINE)
    except (OSError, UnicodeDecodeError):
        told = None
    if told:
        return told.group(1)
    try:
        ran = subprocess.run(
            [java, "-version"], capture_output=True, text=True, timeout=_VERSION_SECONDS
        )
    except (OSError, subprocess.TimeoutExpired) as e:
        raise CannotStart(f"Cannot start batchweave: {java} does not run: {e}; {_REMEDY}") from e
    said = re.search(r'version "([^"]+)"', ran.stderr + ran.stdout)
    if ran.returncode != 0 or not said:
        raise CannotStart(
            f"Cannot start batchweave: {java} does not run: {ran.stderr.strip()}; {_REMEDY}"
        )
    return said.group(1)


def find_jars() -> tuple[Path, list[str]]:
    """The home of the jars, and the parts of a class path.

    They are those of ``BATCHWEAVE_HOME``, a built checkout, if it is set; or else those that came
    with this package; or else those of the checkout that it lies in.
    """
    package = Path(__file__).resolve().parent
    named = os.environ.get("BATCHWEAVE_HOME")
    if named:
        home = Path(named)
        jars = _built(home)
        if not jars:
            raise CannotStart(
                f"Cannot start batchweave: BATCHWEAVE_HOME is {home}, which has no jars in"
                " cli/target; run './batchweave --version' there first"
            )
        return home, jars
    carried = sorted(str(jar) for jar in (package / "jars").glob("*.jar"))
    if carried:
        return package, carried
    for home in package.parents:
        if (home / "arrow-reader").is_dir() and _built(home):
            return home, _built(home)
    raise CannotStart(
        "Cannot start batchweave: this package was installed without its jars; set BATCHWEAVE_HOME"
        " to a checkout in which './batchweave --version' was run, or install the package from"
        " there"
    )


def _built(home: Path) -> list[str]:
    main = sorted(home.glob("cli/target/batchweave-cli-*.jar"))
    return [str(main[-1]), str(home / "cli" / "target" / "lib" / "*")] if main else []
