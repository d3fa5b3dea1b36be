"""What this host offers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional

from ._wire import table
from .results import Level

__all__ = ["LanguageInfo", "Doctor"]


@dataclass(frozen=True)
class LanguageInfo:
    """A language and whether it can run here."""

    id: str
    name: str
    aliases: List[str]
    extensions: List[str]
    available: bool
    program: Optional[str] = None
    why: Optional[str] = None
    remedy: Optional[str] = None

    @classmethod
    def read(cls, told: Dict[str, Any]) -> "LanguageInfo":
        """A language from the wire."""
        state = told["availability"]
        available, missing = state.get("available"), state.get("missing")
        if available is None and missing is None:
            available, missing = (state, None) if "program" in state else (None, state)
        facts: Dict[str, Any] = available or missing or {}
        return cls(
            id=told["id"],
            name=told["name"],
            aliases=told["aliases"],
            extensions=told["extensions"],
            available=missing is None,
            program=facts.get("program"),
            why=facts.get("why"),
            remedy=facts.get("remedy"),
        )


@dataclass(frozen=True)
class Doctor:
    """The examination of this host."""

    version: str
    level: Level
    isolated: bool
    host: List[Dict[str, Any]] = field(default_factory=list, repr=False)
    providers: List[Dict[str, Any]] = field(default_factory=list, repr=False)
    levels: List[Dict[str, Any]] = field(default_factory=list, repr=False)
    languages: List[Dict[str, Any]] = field(default_factory=list, repr=False)
    debuggers: List[Dict[str, Any]] = field(default_factory=list, repr=False)

    def _repr_html_(self) -> str:
        facts = [(str(fact["name"]), fact["value"]) for fact in self.host]
        return table(f"Formicary {self.version}: {self.level}", [("isolated", self.isolated), *facts])
