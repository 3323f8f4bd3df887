"""`python -m evalcore`: the same as the command `evalcore`."""

import sys

from evalcore.cli import main

if __name__ == "__main__":
    sys.exit(main())
