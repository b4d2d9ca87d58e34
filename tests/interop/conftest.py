# SPDX-License-Identifier: Apache-2.0
"""Interop tests need a real RocketMQ. Where there is none they are skipped, and fail in CI."""

import os

import pytest

from pyrmq_compat import jars
from pyrmq_compat.jars import ReferenceUnavailable

VERSIONS = ("4.9.7", "5.5.0")


@pytest.fixture(scope="session", autouse=True)
def _reference_is_available() -> None:
    try:
        for version in VERSIONS:
            jars.compiled(version)
    except ReferenceUnavailable as error:
        if os.environ.get("CI"):
            pytest.fail(f"CI must not skip interop tests: {error}")
        pytest.skip(f"no real RocketMQ here: {error}")


@pytest.fixture(params=VERSIONS)
def version(request: pytest.FixtureRequest) -> str:
    return str(request.param)
