"""A strict, minimal implementation of the Python array API standard.

What works here is what the standard guarantees; what it leaves open is refused, with the rule and the portable way to
write it. Import it as ``import strictarray as xp``.

Functions say in their docstring what they take, give and refuse, and since which version of the standard. All refuse
calls that do not fit their signature (TypeError, rule ``arguments``) and what is later than the version in force (rules
``later-name``, ``later-argument``, ``later-behaviour``). Every error has the attributes ``rule``, ``argument`` and
``section``; the rules of a docstring stand in brackets.

Constants: ``e``, ``inf``, ``nan`` and ``pi`` (float), ``newaxis`` (None: in ``x[key]``, a new axis of size 1).

Data types: ``bool``; ``int8``, ``int16``, ``int32``, ``int64``; ``uint8``, ``uint16``, ``uint32``, ``uint64``;
``float32``, ``float64``; since 2022.12 ``complex64``, ``complex128``.

Extensions: ``linalg`` (linear algebra) and ``fft`` (Fourier transforms; since 2022.12), if the flag
``enabled_extensions`` has them.

Beside the standard: the devices ``CPU_DEVICE``, ``ALL_DEVICES`` and the class ``Device``; the version in force,
``__array_api_version__``; ``set_array_api_strict_flags``, ``get_array_api_strict_flags``,
``reset_array_api_strict_flags`` and the block ``ArrayAPIStrictFlags``. The module ``strictarray.typing`` has names for
annotations.
"""

import sys as _sys

# The first two are here so that they are imported: left to the first call that needs them, the child of a fork in that
# moment would wait for the lock of the import.
from strictarray import _dlpack, _results, _strictarray  # noqa: F401

# A process has one namespace of this name: imported once more, after somebody removed it, it is the first again.
_sys.modules[__name__] = _strictarray._install(_sys.modules[__name__], "strictarray")
