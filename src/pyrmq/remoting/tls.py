# SPDX-License-Identifier: Apache-2.0
"""TLS for servers, in RocketMQ's property names; loaded only when the first handshake arrives."""

import ssl
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from .greeting import TlsMode

TLS_PROPERTIES = {
    "tls.server.mode",
    "tls.server.certPath",
    "tls.server.keyPath",
    "tls.server.keyPassword",
    "tls.server.trustCertPath",
    "tls.server.need.client.auth",
}
"""The original's names, which it takes from system properties and we from the configuration."""


class ServerTls:
    """What a server does about TLS.

    Without a certificate it makes itself one, as the original's test mode does.
    """

    def __init__(
        self,
        mode: TlsMode = TlsMode.PERMISSIVE,
        *,
        certificate: Path | None = None,
        key: Path | None = None,
        key_password: str | None = None,
        trusted: Path | None = None,
        require_client_certificate: bool = False,
    ) -> None:
        self.mode = mode
        self._certificate = certificate
        self._key = key
        self._key_password = key_password
        self._trusted = trusted
        self._require_client_certificate = require_client_certificate

    @classmethod
    def from_properties(cls, properties: Mapping[str, str]) -> "ServerTls":
        """Read the `tls.server.*` properties. Raises `ValueError` naming a malformed one."""

        def path(name: str) -> Path | None:
            value = properties.get(name)
            return Path(value) if value else None

        mode = properties.get("tls.server.mode", TlsMode.PERMISSIVE.value)
        try:
            tls_mode = TlsMode(mode.lower())
        except ValueError:
            raise ValueError(
                f"tls.server.mode must be disabled, permissive or enforcing, got {mode!r}"
            ) from None
        return cls(
            tls_mode,
            certificate=path("tls.server.certPath"),
            key=path("tls.server.keyPath"),
            key_password=properties.get("tls.server.keyPassword"),
            trusted=path("tls.server.trustCertPath"),
            require_client_certificate=properties.get("tls.server.need.client.auth", "none") == "require",
        )

    @property
    def has_certificate(self) -> bool:
        """Whether files are named that can be wrong."""
        return self._certificate is not None or self._trusted is not None

    def context(self) -> ssl.SSLContext:
        """The TLS context, made at the first call."""
        return self._context

    @cached_property
    def _context(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        if self._certificate is not None:
            context.load_cert_chain(self._certificate, self._key, self._key_password)
        else:
            _load_self_signed(context)
        if self._trusted is not None:
            context.load_verify_locations(self._trusted)
        if self._require_client_certificate:
            context.verify_mode = ssl.CERT_REQUIRED
        return context


def _load_self_signed(context: ssl.SSLContext) -> None:
    """Load a fresh certificate for this process alone; clients can encrypt to it but not verify it."""
    import datetime
    import tempfile

    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "pyrmq self-signed")])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=3650))
        .sign(key, hashes.SHA256())
    )
    # The ssl module takes a key from a file only; this one is readable by us alone and gone at once.
    with tempfile.NamedTemporaryFile(suffix=".pem") as file:
        file.write(
            key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
        )
        file.write(certificate.public_bytes(serialization.Encoding.PEM))
        file.flush()
        context.load_cert_chain(file.name)
