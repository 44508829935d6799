"""A strict, minimal implementation of the Python array API standard.

What works here is what the standard guarantees; what it leaves open is refused, with the rule and the portable way to
write it. Import it as ``import strictarray as xp``.
"""

import sys as _sys

from strictarray import _strictarray

# A process has one namespace of this name: imported once more, after somebody removed it, it is the first again.
_sys.modules[__name__] = _strictarray._install(_sys.modules[__name__])
