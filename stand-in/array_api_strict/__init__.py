"""The array API standard by strictarray, under the name of array-api-strict."""

from strictarray import stand_in as _stand_in

# Tells `install` that this module is not the other package's: the namespace takes its place.
_is_stand_in = True

_stand_in.install()
