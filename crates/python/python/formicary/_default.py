"""The client that the package's own functions use. Its engine is made when first needed: importing starts nothing."""

from __future__ import annotations

from .client import Formicary

client = Formicary()
