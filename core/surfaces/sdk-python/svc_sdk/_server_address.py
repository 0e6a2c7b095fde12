"""The address of the server that this package was installed from.

The server replaces this file (core/surfaces/clients/packages.ts).
"""

from typing import Optional

SERVER_ADDRESS: Optional[str] = None
