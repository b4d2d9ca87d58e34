# SPDX-License-Identifier: Apache-2.0
"""RocketMQ's own store files, byte for byte: a blocking library without sockets.

Everything that touches a disk goes through `vfs`, so that tests can pull the plug at any write.
"""
