# SPDX-License-Identifier: Apache-2.0
"""Settings that all tests share."""

import os

from hypothesis import HealthCheck, settings

# The machines are shared and slow at times: no deadline on single examples, which would fail by chance.
settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("thorough", parent=settings.get_profile("default"), max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))
