# SPDX-License-Identifier: Apache-2.0
"""The broker: takes, keeps and hands out messages, and tells the name servers which topics it has."""
