# SPDX-License-Identifier: Apache-2.0
"""The requests a name server answers, one module a family; `table` lists them all."""
