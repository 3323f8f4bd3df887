"""The node that playwright brings, so that tests need none on the machine."""

from playwright._impl._driver import compute_driver_executable

NODE = compute_driver_executable()[0]
