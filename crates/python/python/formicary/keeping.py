"""What Formicary keeps and how it is set: images, caches, settings, the audit log."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional

from ._wire import table

__all__ = ["AuditVerification", "Cache", "DefaultImage", "Image", "Images", "KeptEnvironment", "Setting"]


@dataclass(frozen=True)
class Image:
    """An image that the engine has. ``made_as`` tells what of Formicary's it is; ``None``: somebody else made it."""

    names: List[str]
    id: str
    bytes: int
    made_as: Optional[str] = None


@dataclass(frozen=True)
class DefaultImage:
    """The image of one language, and what the engine knows of it where it is here."""

    language: str
    image: str
    here: Optional[Image] = None


@dataclass(frozen=True)
class Images:
    """The default image of each language, and the images that Formicary made."""

    defaults: List[DefaultImage]
    ours: List[Image]

    def _repr_html_(self) -> str:
        return table("Images", [(one.language, f"{one.image}{'' if one.here else ' (not here)'}") for one in self.defaults])


@dataclass(frozen=True)
class KeptEnvironment:
    """Installed packages that runs find ready."""

    name: str
    python: str
    requirements: List[str]
    packages: List[str]
    bytes: int
    used_ms: int = 0


@dataclass(frozen=True)
class Cache:
    """What is kept for the next time."""

    compiled_programs: int
    compiled_bytes: int
    environments: List[KeptEnvironment] = field(default_factory=list)

    @property
    def bytes(self) -> int:
        """Bytes of all of it."""
        return self.compiled_bytes + sum(kept.bytes for kept in self.environments)

    def _repr_html_(self) -> str:
        rows = [(" ".join(kept.requirements), f"{kept.bytes} bytes") for kept in self.environments]
        return table("Cache", [("compiled programs", self.compiled_programs), *rows])


@dataclass(frozen=True)
class Setting:
    """One setting with its value and where that comes from."""

    key: str
    value: Any
    shown: str
    origin: Any
    variable: Optional[str] = None
    about: str = ""


@dataclass(frozen=True)
class AuditVerification:
    """Whether the audit log is whole. ``head`` kept elsewhere finds a log that was written anew."""

    intact: bool
    records: int
    first: int
    last: int
    head: str
    unfinished: int
    problems: List[Dict[str, Any]] = field(default_factory=list)
