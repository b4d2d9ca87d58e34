# SPDX-License-Identifier: Apache-2.0
"""The name server: where brokers say that they exist and clients ask where topics are."""
