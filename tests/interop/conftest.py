# SPDX-License-Identifier: Apache-2.0
"""Interop tests need a real RocketMQ. Where there is none they are skipped, and fail in CI."""

import os
from collections.abc import Generator

import pytest

from pyrmq_compat import jars
from pyrmq_compat.jars import ReferenceUnavailable

from .servers import RUNNING

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


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Show the logs of our servers with a failed test, also of those that are shared between tests."""
    report = yield
    if report.failed:
        report.sections += [(f"pyrmq at {server.address}", server.log_text()) for server in RUNNING]
    return report
