"""Checks options that are numbers."""

import math


def number_option(name: str, value: object) -> None:
    """Text and NaN come from environment variables, and a comparison with NaN is false: a limit would not limit.

    :raises ValueError: if the value is not a finite number of at least 0
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value) or value < 0:
        raise ValueError(f"{name} must be a finite number of at least 0, but it is {value!r}.")
