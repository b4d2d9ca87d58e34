# SPDX-License-Identifier: Apache-2.0
"""The RocketMQ remoting protocol as bytes and values: no sockets, no files, no clock.

`frames` cuts the byte stream, `command` reads and writes one frame, `headers` and `bodies`
declare what the commands carry, `record` and its neighbours hold the message layouts, and
`layouts` describes every binary layout once more, declaratively, as the specification that the
fast codecs are tested against.
"""
