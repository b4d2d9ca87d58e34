# SPDX-License-Identifier: Apache-2.0
"""What each command carries in its ext fields, one module a family.

A server imports the families it serves; nothing is imported here, to keep start-up short.
"""


def load_all() -> None:
    """Import every family, so that `declare.REQUESTS` is complete: for tests and documentation."""
    from importlib import import_module
    from pkgutil import iter_modules

    for module in iter_modules(__path__):
        import_module(f"{__name__}.{module.name}")
