"""Fourier transforms: an extension of the array API standard."""

from collections.abc import Sequence
from typing import Literal

from ._strictarray import Array, Device, DType

# --- generated from the rows of strictarray-standard: edit those, not this

__all__ = [
    "fft",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "ifft",
    "ifftn",
    "ifftshift",
    "ihfft",
    "irfft",
    "irfftn",
    "rfft",
    "rfftfreq",
    "rfftn",
]

def fft(
    x: Array,
    /,
    *,
    n: int | None = None,
    axis: int = -1,
    norm: Literal["backward", "ortho", "forward"] = "backward",
) -> Array:
    """The discrete Fourier transform along an axis: at k the sum of x[j] * exp(-2πi * j * k / n).

    Parameters
    ----------
    x : array (complex floating-point dtype)
        input; before 2023.12 of a real data type, too
    n : int or None
        how many elements are transformed, 1 or more: x is cut or padded with zeros to it; None: its size along the axis
    axis : int
        axis to go along, in [-N, N)
    norm : "backward" or "ortho" or "forward"
        what the result is multiplied by: 1, 1/sqrt(n) or 1/n, for n elements that are transformed

    Returns
    -------
    array of the shape of x, but of size n along the axis, and of the data type of x.
    """

def fftfreq(n: int, /, *, d: float = 1.0, dtype: DType | None = None, device: Device | None = None) -> Array:
    """The frequencies that the elements of fft belong to: 0, 1, … and from the middle on those below 0, divided by d *
    n.

    Parameters
    ----------
    n : int
        number of elements that are transformed, 1 or more
    d : Python scalar (int, float)
        distance of two samples, not 0
    dtype : dtype (real floating-point) or None
        data type of the result; None: the device's default (since 2024.12)
    device : device or None
        where the result is placed; None: the default device

    Returns
    -------
    1-d array of n frequencies, of the data type asked for.
    """

def fftn(
    x: Array,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: Literal["backward", "ortho", "forward"] = "backward",
) -> Array:
    """The discrete Fourier transform along several axes.

    Parameters
    ----------
    x : array (complex floating-point dtype)
        input; before 2023.12 of a real data type, too
    s : sequence of ints or None
        for each of axes how many elements are transformed, 1 or more, or -1 for its size: x is cut or padded with zeros
        to it; None: the sizes of x
    axes : sequence of ints or None
        axes to go along, each in [-N, N), different ones; None: all
    norm : "backward" or "ortho" or "forward"
        what the result is multiplied by: 1, 1/sqrt(n) or 1/n, for n elements that are transformed

    Returns
    -------
    array of the shape of x, but of the sizes s along the axes, and of the data type of x.
    """

def fftshift(x: Array, /, *, axes: int | Sequence[int] | None = None) -> Array:
    """The elements shifted along axes so that the first one, that of frequency 0, comes to the middle.

    Parameters
    ----------
    x : array (floating-point dtype)
        input, of any shape
    axes : int, sequence of ints, or None
        axes to shift, each in [-N, N), different ones; None: all

    Returns
    -------
    array of the shape and data type of x.
    """

def hfft(
    x: Array,
    /,
    *,
    n: int | None = None,
    axis: int = -1,
    norm: Literal["backward", "ortho", "forward"] = "backward",
) -> Array:
    """The discrete Fourier transform along an axis of what has Hermitian symmetry: of it, its first half is given.

    Parameters
    ----------
    x : array (complex floating-point dtype)
        the first half of what has Hermitian symmetry: n//2 + 1 elements along the axis
    n : int or None
        size of the result along the axis, 1 or more: x is cut or padded with zeros to n//2 + 1; None: 2 * (size - 1)
    axis : int
        axis to go along, in [-N, N)
    norm : "backward" or "ortho" or "forward"
        what the result is multiplied by: 1, 1/sqrt(n) or 1/n, for n elements that are transformed

    Returns
    -------
    array of the shape of x, but of size n along the axis, and of the real data type of x's precision.
    """

def ifft(
    x: Array,
    /,
    *,
    n: int | None = None,
    axis: int = -1,
    norm: Literal["backward", "ortho", "forward"] = "backward",
) -> Array:
    """The inverse of fft along an axis: at j the sum of x[k] * exp(2πi * j * k / n), divided by n.

    Parameters
    ----------
    x : array (complex floating-point dtype)
        input; before 2023.12 of a real data type, too
    n : int or None
        how many elements are transformed, 1 or more: x is cut or padded with zeros to it; None: its size along the axis
    axis : int
        axis to go along, in [-N, N)
    norm : "backward" or "ortho" or "forward"
        what the result is multiplied by: 1/n, 1/sqrt(n) or 1, for n elements of the result

    Returns
    -------
    array of the shape of x, but of size n along the axis, and of the data type of x.
    """

def ifftn(
    x: Array,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: Literal["backward", "ortho", "forward"] = "backward",
) -> Array:
    """The inverse of fftn along several axes.

    Parameters
    ----------
    x : array (complex floating-point dtype)
        input; before 2023.12 of a real data type, too
    s : sequence of ints or None
        for each of axes how many elements are transformed, 1 or more, or -1 for its size: x is cut or padded with zeros
        to it; None: the sizes of x
    axes : sequence of ints or None
        axes to go along, each in [-N, N), different ones; None: all
    norm : "backward" or "ortho" or "forward"
        what the result is multiplied by: 1/n, 1/sqrt(n) or 1, for n elements of the result

    Returns
    -------
    array of the shape of x, but of the sizes s along the axes, and of the data type of x.
    """

def ifftshift(x: Array, /, *, axes: int | Sequence[int] | None = None) -> Array:
    """The inverse of fftshift.

    Parameters
    ----------
    x : array (floating-point dtype)
        input, of any shape
    axes : int, sequence of ints, or None
        axes to shift, each in [-N, N), different ones; None: all

    Returns
    -------
    array of the shape and data type of x.
    """

def ihfft(
    x: Array,
    /,
    *,
    n: int | None = None,
    axis: int = -1,
    norm: Literal["backward", "ortho", "forward"] = "backward",
) -> Array:
    """The inverse of hfft along an axis: the first half of what has Hermitian symmetry.

    Parameters
    ----------
    x : array (real floating-point dtype)
        input
    n : int or None
        how many elements are transformed, 1 or more: x is cut or padded with zeros to it; None: its size along the axis
    axis : int
        axis to go along, in [-N, N)
    norm : "backward" or "ortho" or "forward"
        what the result is multiplied by: 1/n, 1/sqrt(n) or 1, for n elements of the result

    Returns
    -------
    array of the shape of x, but of size n//2 + 1 along the axis, and of the complex data type of x's precision.
    """

def irfft(
    x: Array,
    /,
    *,
    n: int | None = None,
    axis: int = -1,
    norm: Literal["backward", "ortho", "forward"] = "backward",
) -> Array:
    """The inverse of rfft along an axis. The first element, and the last one where n is even, count as real.

    Parameters
    ----------
    x : array (complex floating-point dtype)
        the first half of what has Hermitian symmetry: n//2 + 1 elements along the axis
    n : int or None
        size of the result along the axis, 1 or more: x is cut or padded with zeros to n//2 + 1; None: 2 * (size - 1)
    axis : int
        axis to go along, in [-N, N)
    norm : "backward" or "ortho" or "forward"
        what the result is multiplied by: 1/n, 1/sqrt(n) or 1, for n elements of the result

    Returns
    -------
    array of the shape of x, but of size n along the axis, and of the real data type of x's precision.
    """

def irfftn(
    x: Array,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: Literal["backward", "ortho", "forward"] = "backward",
) -> Array:
    """The inverse of rfftn along several axes.

    Parameters
    ----------
    x : array (complex floating-point dtype)
        the first half of what has Hermitian symmetry along the last of axes
    s : sequence of ints or None
        for each of axes the size of the result, 1 or more, or -1 for the size of x (not for the last): x is cut or
        padded with zeros, along the last one to s//2 + 1; None: the sizes of x, the last one 2 * (size - 1)
    axes : sequence of ints or None
        axes to go along, each in [-N, N), different ones; None: all
    norm : "backward" or "ortho" or "forward"
        what the result is multiplied by: 1/n, 1/sqrt(n) or 1, for n elements of the result

    Returns
    -------
    array of the shape of x, but of the sizes s along the axes, and of the real data type of x's precision.
    """

def rfft(
    x: Array,
    /,
    *,
    n: int | None = None,
    axis: int = -1,
    norm: Literal["backward", "ortho", "forward"] = "backward",
) -> Array:
    """The discrete Fourier transform of real numbers along an axis: its first half, which the rest mirrors.

    Parameters
    ----------
    x : array (real floating-point dtype)
        input
    n : int or None
        how many elements are transformed, 1 or more: x is cut or padded with zeros to it; None: its size along the axis
    axis : int
        axis to go along, in [-N, N)
    norm : "backward" or "ortho" or "forward"
        what the result is multiplied by: 1, 1/sqrt(n) or 1/n, for n elements that are transformed

    Returns
    -------
    array of the shape of x, but of size n//2 + 1 along the axis, and of the complex data type of x's precision.
    """

def rfftfreq(n: int, /, *, d: float = 1.0, dtype: DType | None = None, device: Device | None = None) -> Array:
    """The frequencies that the elements of rfft belong to: 0, 1, … up to n//2, divided by d * n.

    Parameters
    ----------
    n : int
        number of elements that are transformed, 1 or more
    d : Python scalar (int, float)
        distance of two samples, not 0
    dtype : dtype (real floating-point) or None
        data type of the result; None: the device's default (since 2024.12)
    device : device or None
        where the result is placed; None: the default device

    Returns
    -------
    1-d array of n//2 + 1 frequencies, of the data type asked for.
    """

def rfftn(
    x: Array,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: Literal["backward", "ortho", "forward"] = "backward",
) -> Array:
    """The discrete Fourier transform of real numbers along several axes: along the last one its first half.

    Parameters
    ----------
    x : array (real floating-point dtype)
        input
    s : sequence of ints or None
        for each of axes how many elements are transformed, 1 or more, or -1 for its size: x is cut or padded with zeros
        to it; None: the sizes of x
    axes : sequence of ints or None
        axes to go along, each in [-N, N), different ones; None: all
    norm : "backward" or "ortho" or "forward"
        what the result is multiplied by: 1, 1/sqrt(n) or 1/n, for n elements that are transformed

    Returns
    -------
    array of the shape of x, but of the sizes s along the axes, the last one s//2 + 1, and of the complex data type of
    x's precision.
    """

# --- end of what is generated
