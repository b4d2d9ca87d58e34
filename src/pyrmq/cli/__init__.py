# SPDX-License-Identifier: Apache-2.0
"""The `pyrmq` command. Each subcommand is a module of its own and imported only when it is asked for."""
