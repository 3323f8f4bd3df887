"""The node program that playwright includes, so that tests do not need an installed one."""

from playwright._impl._driver import compute_driver_executable

NODE = compute_driver_executable()[0]
