"""Ends processes whose parent was killed: run by itself, it reads their ids from a pipe that ends with the parent.

Each line of the input has the ids of all that run then. The end of the pipe is the end of the parent, however it came:
what the last line names is asked to end, and made to after some seconds. An orderly parent leaves an empty line last.
Nothing is imported that takes memory, as it waits as long as the server runs.
"""

import os
import signal
import sys
import time

END = 10.0  # seconds in which a process ends when it is asked to
LOOK = 0.1


def main() -> None:
    """Wait for the end of the input, then end what is left."""
    running: list[int] = []
    for line in sys.stdin:
        running = list(map(int, line.split()))
    running = [process for process in running if _signalled(process, signal.SIGTERM)]
    last = time.monotonic() + END
    while running and hasattr(signal, "SIGKILL"):
        late = time.monotonic() > last
        running = [process for process in running if _signalled(process, signal.SIGKILL if late else 0) and not late]
        time.sleep(LOOK)


def _signalled(process: int, what: int) -> bool:
    """Send a signal to a process; whether it is there to hear it."""
    try:
        os.kill(process, what)
    except OSError:
        return False
    return True


if __name__ == "__main__":
    main()
