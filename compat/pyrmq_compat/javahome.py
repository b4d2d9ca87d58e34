# SPDX-License-Identifier: Apache-2.0
"""The home folder of a Java process: one place for its ROCKETMQ_HOME, its user.home and its logs."""

import os
from pathlib import Path

# For 4.9, 5.x and mqadmin alike. Nothing goes to standard output: what a command prints stays comparable.
LOGBACK = """\
<configuration>
  <statusListener class="ch.qos.logback.core.status.NopStatusListener"/>
  <appender name="FILE" class="ch.qos.logback.core.FileAppender">
    <file>${user.home}/logs/rocketmq.log</file>
    <encoder>
      <pattern>%d{HH:mm:ss.SSS} %p %c %t - %m%n</pattern>
      <charset>UTF-8</charset>
    </encoder>
  </appender>
  <root level="${pyrmq.log.level:-WARN}"><appender-ref ref="FILE"/></root>
</configuration>
"""
LOGBACK_FILES = ("logback_namesrv.xml", "logback_broker.xml", "logback_tools.xml")


def prepare_home(home: Path) -> None:
    """Create the folder with log settings in it."""
    conf = home / "conf"
    conf.mkdir(parents=True, exist_ok=True)
    for name in LOGBACK_FILES:
        (conf / name).write_text(LOGBACK)


def home_options(home: Path) -> list[str]:
    """Options that make `java` use the folder."""
    logback = home / "conf" / LOGBACK_FILES[0]
    return [
        f"-Duser.home={home}",
        f"-Drmq.logback.configurationFile={logback}",  # 5.x
        f"-Dlogback.configurationFile={logback}",  # 4.9, before it loads conf/logback_*.xml
        "-Drocketmq.client.logUseSlf4j=true",  # 4.9 clients would write a log file of their own
    ]


def environment(home: Path) -> dict[str, str]:
    """Our environment without what would change the behaviour or the output of RocketMQ."""
    disturbing = {"NAMESRV_ADDR", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "ROCKETMQ_SERIALIZE_TYPE"}
    return {**{k: v for k, v in os.environ.items() if k not in disturbing}, "ROCKETMQ_HOME": str(home)}
