"""Linear algebra: what ``import strictarray.linalg`` finds while the flags give the namespace this extension."""

import sys

import strictarray

try:
    sys.modules[__name__] = strictarray.linalg
except AttributeError as error:
    raise ImportError(str(error), name=__name__) from error
