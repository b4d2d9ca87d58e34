# SPDX-License-Identifier: Apache-2.0
"""The JSON bodies of the protocol, one module a subject."""
