# SPDX-License-Identifier: Apache-2.0
"""A message broker and name server that speaks the Apache RocketMQ remoting protocol."""

__version__ = "0.1.0"
