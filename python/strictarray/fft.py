"""Fourier transforms: what ``import strictarray.fft`` finds while the flags give the namespace this extension."""

import sys

import strictarray

try:
    sys.modules[__name__] = strictarray.fft
except AttributeError as error:
    refusal = ImportError(str(error), name=__name__)
    # What all refusals have.
    vars(refusal).update(vars(error))
    raise refusal from error
