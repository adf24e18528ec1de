"""What is checked of each package alone, and of the repository as a whole.

Sessions are found by looking into packages/: a new folder there is a new package, and nothing is added here.
Every package is tested as the wheel that people would get, in an environment of its own dependencies alone.
"""

import shutil
import tomllib
from collections.abc import Iterable
from pathlib import Path

import nox
from nox.command import CommandFailed

nox.needs_version = ">=2025.5"
nox.options.default_venv_backend = "uv"
nox.options.error_on_missing_interpreters = True
nox.options.reuse_existing_virtualenvs = False

ROOT = Path(__file__).parent
PACKAGES = sorted(path.parent.name for path in ROOT.glob("packages/*/pyproject.toml"))
TEST_TOOLS = ("pytest", "pytest-xdist", "hypothesis")
TYPE_TOOLS = ("mypy", "basedpyright")


@nox.session
@nox.parametrize("package", PACKAGES, ids=PACKAGES)
def tests(session: nox.Session, package: str) -> None:
    """Test one package as an installed wheel, with its own dependencies and the test tools alone."""
    install_alone(session, package, TEST_TOOLS)
    module = package.replace("-", "_")
    session.run("python", "-I", "-c", f"import {module}; assert 'site-packages' in {module}.__file__")
    session.run("pytest", f"packages/{package}/tests", *session.posargs)


@nox.session
@nox.parametrize("package", PACKAGES, ids=PACKAGES)
def types(session: nox.Session, package: str) -> None:
    """Check one package's types beside its own dependencies alone."""
    install_alone(session, package, TYPE_TOOLS)
    source = f"packages/{package}/src"
    session.run("mypy", "--strict", source)
    session.run("basedpyright", "--pythonpath", f"{session.bin}/python", source)


@nox.session(venv_backend="none")
def ruff(session: nox.Session) -> None:
    """Check style, bans and layout of the text."""
    in_workspace(session, "ruff", "check")
    in_workspace(session, "ruff", "format", "--check")


@nox.session(venv_backend="none")
def seals(session: nox.Session) -> None:
    """Check that no forgery of a sealed value type-checks, and the types of everything together."""
    in_workspace(session, "mypy")
    in_workspace(session, "basedpyright")


@nox.session(venv_backend="none")
def imports(session: nox.Session) -> None:
    """Check that the arrows between packages, rooms and adapters point one way, and that no package escapes them."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    under_contract = project["tool"]["importlinter"]["root_packages"]
    forgotten = [package for package in PACKAGES if package.replace("-", "_") not in under_contract]
    if forgotten:
        session.error(f"pyproject.toml: root_packages of importlinter lacks {', '.join(forgotten)}")
    in_workspace(session, "lint-imports", "--no-cache", "--no-logo")


@nox.session(venv_backend="none")
def lock(session: nox.Session) -> None:
    """Check that uv.lock is what the pyproject files ask for."""
    session.run("uv", "lock", "--check", external=True)


@nox.session(venv_backend="none", default=False)
def slow(session: nox.Session) -> None:
    """Run the sweeps that take minutes: kills at every step, large stores, long random searches."""
    in_workspace(session, "pytest", "-m", "slow", *session.posargs)


def in_workspace(session: nox.Session, *command: str) -> None:
    """Run a tool of the workspace's own environment."""
    session.run("uv", "run", "--locked", *command, external=True)


def install_alone(session: nox.Session, package: str, tools: tuple[str, ...]) -> None:
    """Install a package's wheel, the workspace wheels it needs, its locked dependencies and `tools`."""
    scratch = Path(session.virtualenv.location).resolve() / "scratch"
    wheels = scratch / "wheels"
    shutil.rmtree(scratch, ignore_errors=True)
    wheels.mkdir(parents=True)
    exported = export(session, "--package", package, "--no-default-groups")
    for member in (line for line in exported if line.startswith("./packages/")):
        build = ("uv", "build", "--wheel", "--quiet", "--out-dir", str(wheels), member)
        offline_first(session, build)
    requirements = written(scratch / "requirements.txt", (line for line in exported if line[0].isalnum()))
    constraints = written(scratch / "constraints.txt", export(session, "--only-group", "dev"))
    built = [str(wheel) for wheel in sorted(wheels.glob("*.whl"))]
    offline_first(
        session, ("uv", "pip", "install", "--quiet", "-r", requirements, "-c", constraints, *tools, *built)
    )


def export(session: nox.Session, *options: str) -> list[str]:
    """The locked requirements that `options` choose, one a line; workspace packages as paths."""
    command = ("uv", "export", "--locked", "--quiet", "--no-hashes", "--no-annotate", "--no-header")
    text = session.run(*command, "--no-editable", *options, external=True, silent=True)
    assert isinstance(text, str)
    return [line for line in text.splitlines() if line.strip()]


def written(path: Path, lines: Iterable[str]) -> str:
    """Write `lines` to `path` and name it."""
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(path)


def offline_first(session: nox.Session, command: tuple[str, ...]) -> None:
    """Run `command` from uv's cache, and over the network only where the cache lacks something."""
    try:
        session.run(*command, "--offline", external=True)
    except CommandFailed:
        session.run(*command, external=True)
