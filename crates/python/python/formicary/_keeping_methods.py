"""The methods of ``Formicary`` for what is kept: images, caches, settings, the audit log."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence

from . import _arguments as check
from ._native import Channel
from ._wire import build
from .keeping import AuditVerification, Cache, Image, Images, Setting

__all__ = ["KeepingMethods"]


class KeepingMethods:
    """What is kept."""

    _channel: Channel

    def images(self) -> Images:
        """The default image of each language, and the images that Formicary made. Needs an engine that answers."""
        return build(Images, self._channel.call("images.list", {}))

    def pull_image(self, name: str) -> str:
        """Fetches an image, or the default one of a language; gives the image's name."""
        return str(self._channel.call("images.pull", {"name": check.text("name", name)}))

    def build_image(
        self,
        name: str,
        requirements: Sequence[str] = (),
        *,
        base: Optional[str] = None,
        uv: bool = False,
        from_source: bool = False,
    ) -> Image:
        """Builds an image with Python packages in it: names with versions, or requirement and lock files."""
        asked = {
            "name": check.text("name", name),
            "base": check.optional_text("base", base),
            "requirements": check.words("requirements", requirements),
            "from_source": bool(from_source),
            "uv": bool(uv),
        }
        return build(Image, self._channel.call("images.build", asked))

    def prune_images(self, *, all: bool = False) -> List[Image]:
        """Removes images that runs make by themselves, or all that Formicary made; gives those that went."""
        return [build(Image, one) for one in self._channel.call("images.prune", {"all": bool(all)})]

    def cache(self) -> Cache:
        """Compiled programs and package environments that are kept for the next time.

        >>> import formicary
        >>> formicary.cache().bytes >= 0
        True
        """
        return build(Cache, self._channel.call("cache.list", {}))

    def prune_cache(self, *, all: bool = False) -> Cache:
        """Removes what exceeds the configured sizes, or everything that nobody uses; gives what went."""
        return build(Cache, self._channel.call("cache.prune", {"all": bool(all)}))

    def config(self) -> Dict[str, Setting]:
        """Every setting by its key, with its value and where that comes from.

        >>> import formicary
        >>> formicary.Formicary({"limits.wall_seconds": "5"}).config()["limits.wall_seconds"].shown
        '5 s'
        """
        settings = self._channel.call("config", {})["settings"]
        return {one["key"]: build(Setting, one) for one in settings}

    def audit(
        self,
        *,
        since: Optional[str] = None,
        until: Optional[str] = None,
        caller: Optional[str] = None,
        tenant: Optional[str] = None,
        language: Optional[str] = None,
        status: Optional[str] = None,
        run_id: Optional[str] = None,
        text: Optional[str] = None,
        most: int = 100,
    ) -> List[Dict[str, Any]]:
        """Records of the audit log, latest first. Times are ``2026-11-16``, ``2026-11-16T12:00:00Z`` or ``2h`` ago."""
        words = {"since": since, "until": until, "caller": caller, "tenant": tenant, "language": language}
        words.update(status=status, run_id=run_id, text=text)
        asked: Dict[str, Any] = {name: check.optional_text(name, word) for name, word in words.items()}
        asked["most"] = check.number("most", most, whole=True)
        return list(self._channel.call("audit.read", asked)["items"])

    def verify_audit(self, expected: Sequence[str] = ()) -> AuditVerification:
        """Looks at every record of the audit log; ``expected`` are ends that were noted earlier, ``SEQ:HASH`` each."""
        asked = {"expected": check.words("expected", expected)}
        return build(AuditVerification, self._channel.call("audit.verify", asked))
