//! The extension `fft`.

use crate::Version::{V2022_12, V2024_12};
use crate::{Accepts::*, Category, DTypeSet, Function, Open, Param, ResultDType, Rule, ScalarKinds, ShapeRule, rule};

const COMPLEX: Param =
    Param::pos("x", Array(DTypeSet::COMPLEX_FLOATING), "input; before 2023.12 of a real data type, too");
const HALF: Param = Param::pos(
    "x",
    Array(DTypeSet::COMPLEX_FLOATING),
    "the first half of what has Hermitian symmetry: n//2 + 1 elements along the axis",
);
const HALF_OF_AXES: Param =
    Param { doc: "the first half of what has Hermitian symmetry along the last of axes", ..HALF };
const REAL: Param = Param::pos("x", Array(DTypeSet::REAL_FLOATING), "input");
const ANY: Param = Param::pos("x", Array(DTypeSet::FLOATING), "input, of any shape");
const N: Param = Param::kw(
    "n",
    CountOrNone,
    "how many elements are transformed, 1 or more: x is cut or padded with zeros to it; None: its size along the axis",
)
.or("None");
const N_OUT: Param = Param::kw(
    "n",
    CountOrNone,
    "size of the result along the axis, 1 or more: x is cut or padded with zeros to n//2 + 1; None: 2 * (size - 1)",
)
.or("None");
const AXIS: Param = Param::kw("axis", Axis, "axis to go along, in [-N, N)").or("-1");
const S: Param =
    Param::kw("s", IntSequenceOrNone, "for each of axes how many elements are transformed, 1 or more, or -1 for its size: x is cut or padded with zeros to it; None: the sizes of x").or("None");
const S_OUT: Param =
    Param::kw("s", IntSequenceOrNone, "for each of axes the size of the result, 1 or more, or -1 for the size of x (not for the last): x is cut or padded with zeros, along the last one to s//2 + 1; None: the sizes of x, the last one 2 * (size - 1)").or("None");
const AXES: Param =
    Param::kw("axes", AxisSequenceOrNone, "axes to go along, each in [-N, N), different ones; None: all").or("None");
const SHIFTED: Param =
    Param::kw("axes", AxesOrSequenceOrNone, "axes to shift, each in [-N, N), different ones; None: all").or("None");
/// For transforms that are not scaled by default.
const NORM: Param = Param::kw(
    "norm",
    Choice(&["backward", "ortho", "forward"]),
    "what the result is multiplied by: 1, 1/sqrt(n) or 1/n, for n elements that are transformed",
)
.or("'backward'");
/// For their inverses.
const INVERSE_NORM: Param =
    Param { doc: "what the result is multiplied by: 1/n, 1/sqrt(n) or 1, for n elements of the result", ..NORM };
const COUNT: Param = Param::pos("n", Count, "number of elements that are transformed, 1 or more");
const SPACING: Param = Param::kw("d", Scalar(ScalarKinds::REAL), "distance of two samples, not 0").or("1.0");
const DTYPE: Param =
    Param::kw("dtype", DTypeOrNone(DTypeSet::REAL_FLOATING), "data type of the result; None: the device's default")
        .or("None")
        .since(V2024_12);
const DEVICE: Param =
    Param::kw("device", DeviceOrNone, "where the result is placed; None: the default device").or("None");

const EMPTY: (&Rule, &str) = (&rule::TRANSFORM_EMPTY, "there would be no element to transform");
const TOO_LARGE: (&Rule, &str) = (&rule::SHAPE_TOO_LARGE, "the result is too large for the address space");
const NO_MEMORY: (&Rule, &str) = (&rule::MEMORY, "the result is too large for the memory");
/// What a transform along one axis refuses.
const REFUSES: &[(&Rule, &str)] = &[EMPTY, (&rule::TRANSFORM_SIZE, "n is 0"), TOO_LARGE, NO_MEMORY];
/// What the functions that give frequencies refuse.
const REFUSES_FREQUENCIES: &[(&Rule, &str)] =
    &[(&rule::TRANSFORM_SIZE, "n is 0"), (&rule::SPACING, "d is 0"), TOO_LARGE, NO_MEMORY];
/// What a transform along several axes refuses: of their number, and more.
macro_rules! refuses {
    ($axes:literal $(, $more:expr)?) => {
        &[
            EMPTY,
            (&rule::TRANSFORM_SIZE, "one of s is 0, or negative and not -1"),
            $($more,)?
            (&rule::SIZES_WITHOUT_AXES, "s is given and axes is not"),
            (&rule::AXIS_COUNT, $axes),
            TOO_LARGE,
            NO_MEMORY,
        ]
    };
}
const REFUSES_AXES: &[(&Rule, &str)] = refuses!("s and axes name different numbers of axes");

const fn row(
    name: &'static str,
    params: &'static [Param],
    result: ResultDType,
    summary: &'static str,
    returns: &'static str,
    example: &'static str,
) -> Function {
    Function {
        name,
        category: Category::Fft,
        params,
        since: V2022_12,
        shape: ShapeRule::Computed,
        result,
        open: Open::ROUNDING,
        refuses: REFUSES,
        special: "",
        summary,
        returns,
        example,
    }
}

pub(super) static ROWS: &[Function] = &[
    row(
        "fft.fft",
        &[COMPLEX, N, AXIS, NORM],
        ResultDType::Same,
        "The discrete Fourier transform along an axis: at k the sum of x[j] * exp(-2πi * j * k / n).",
        "array of the shape of x, but of size n along the axis, and of the data type of x.",
        ">>> xp.fft.fft(xp.asarray([1 + 1j, 0, 0, 0]))\nArray([1.+1.j, 1.+1.j, 1.+1.j, 1.+1.j], dtype=strictarray.complex128)",
    ),
    row(
        "fft.fftfreq",
        &[COUNT, SPACING, DTYPE, DEVICE],
        ResultDType::Argument,
        "The frequencies that the elements of fft belong to: 0, 1, … and from the middle on those below 0, divided by d * n.",
        "1-d array of n frequencies, of the data type asked for.",
        ">>> xp.fft.fftfreq(4)\nArray([ 0.  ,  0.25, -0.5 , -0.25], dtype=strictarray.float64)",
    )
    .refuses(REFUSES_FREQUENCIES),
    row(
        "fft.fftn",
        &[COMPLEX, S, AXES, NORM],
        ResultDType::Same,
        "The discrete Fourier transform along several axes.",
        "array of the shape of x, but of the sizes s along the axes, and of the data type of x.",
        ">>> xp.fft.fftn(xp.asarray([[1 + 1j, 0], [0, 0]]))\nArray([[1.+1.j, 1.+1.j],\n       [1.+1.j, 1.+1.j]], dtype=strictarray.complex128)",
    )
    .refuses(REFUSES_AXES),
    Function {
        shape: ShapeRule::Same,
        open: Open::NOTHING,
        ..row(
            "fft.fftshift",
            &[ANY, SHIFTED],
            ResultDType::Same,
            "The elements shifted along axes so that the first one, that of frequency 0, comes to the middle.",
            "array of the shape and data type of x.",
            ">>> xp.fft.fftshift(xp.fft.fftfreq(4))\nArray([-0.5 , -0.25,  0.  ,  0.25], dtype=strictarray.float64)",
        )
    }
    .refuses(&[]),
    row(
        "fft.hfft",
        &[HALF, N_OUT, AXIS, NORM],
        ResultDType::RealPart,
        "The discrete Fourier transform along an axis of what has Hermitian symmetry: of it, its first half is given.",
        "array of the shape of x, but of size n along the axis, and of the real data type of x's precision.",
        ">>> xp.fft.hfft(xp.asarray([4 + 0j, 1, 0]))\nArray([6., 4., 2., 4.], dtype=strictarray.float64)",
    ),
    row(
        "fft.ifft",
        &[COMPLEX, N, AXIS, INVERSE_NORM],
        ResultDType::Same,
        "The inverse of fft along an axis: at j the sum of x[k] * exp(2πi * j * k / n), divided by n.",
        "array of the shape of x, but of size n along the axis, and of the data type of x.",
        ">>> xp.fft.ifft(xp.asarray([4 + 4j, 0, 0, 0]))\nArray([1.+1.j, 1.+1.j, 1.+1.j, 1.+1.j], dtype=strictarray.complex128)",
    ),
    row(
        "fft.ifftn",
        &[COMPLEX, S, AXES, INVERSE_NORM],
        ResultDType::Same,
        "The inverse of fftn along several axes.",
        "array of the shape of x, but of the sizes s along the axes, and of the data type of x.",
        ">>> xp.fft.ifftn(xp.asarray([[4 + 4j, 0], [0, 0]]))\nArray([[1.+1.j, 1.+1.j],\n       [1.+1.j, 1.+1.j]], dtype=strictarray.complex128)",
    )
    .refuses(REFUSES_AXES),
    Function {
        shape: ShapeRule::Same,
        open: Open::NOTHING,
        ..row(
            "fft.ifftshift",
            &[ANY, SHIFTED],
            ResultDType::Same,
            "The inverse of fftshift.",
            "array of the shape and data type of x.",
            ">>> xp.fft.ifftshift(xp.asarray([-1.0, 0.0, 1.0]))\nArray([ 0.,  1., -1.], dtype=strictarray.float64)",
        )
    }
    .refuses(&[]),
    row(
        "fft.ihfft",
        &[REAL, N, AXIS, INVERSE_NORM],
        ResultDType::Complex,
        "The inverse of hfft along an axis: the first half of what has Hermitian symmetry.",
        "array of the shape of x, but of size n//2 + 1 along the axis, and of the complex data type of x's precision.",
        ">>> xp.fft.ihfft(xp.asarray([1.0, 2.0, 0.0, 0.0]))\nArray([ 0.75-0.j ,  0.25+0.5j, -0.25-0.j ], dtype=strictarray.complex128)",
    ),
    row(
        "fft.irfft",
        &[HALF, N_OUT, AXIS, INVERSE_NORM],
        ResultDType::RealPart,
        "The inverse of rfft along an axis. The first element, and the last one where n is even, count as real.",
        "array of the shape of x, but of size n along the axis, and of the real data type of x's precision.",
        ">>> xp.fft.irfft(xp.asarray([10, -2 + 2j, -2]))\nArray([1., 2., 3., 4.], dtype=strictarray.float64)",
    ),
    row(
        "fft.irfftn",
        &[HALF_OF_AXES, S_OUT, AXES, INVERSE_NORM],
        ResultDType::RealPart,
        "The inverse of rfftn along several axes.",
        "array of the shape of x, but of the sizes s along the axes, and of the real data type of x's precision.",
        ">>> xp.fft.irfftn(xp.asarray([[4 + 0j, 0], [0, 0]]))\nArray([[1., 1.],\n       [1., 1.]], dtype=strictarray.float64)",
    )
    .refuses(refuses!(
        "there are no axes, or s and axes name different numbers of them",
        (&rule::TRANSFORM_HALF, "the last one of s is -1")
    )),
    row(
        "fft.rfft",
        &[REAL, N, AXIS, NORM],
        ResultDType::Complex,
        "The discrete Fourier transform of real numbers along an axis: its first half, which the rest mirrors.",
        "array of the shape of x, but of size n//2 + 1 along the axis, and of the complex data type of x's precision.",
        ">>> xp.fft.rfft(xp.asarray([1.0, 2.0, 0.0, 0.0]))\nArray([ 3.+0.j,  1.-2.j, -1.+0.j], dtype=strictarray.complex128)",
    ),
    row(
        "fft.rfftfreq",
        &[COUNT, SPACING, DTYPE, DEVICE],
        ResultDType::Argument,
        "The frequencies that the elements of rfft belong to: 0, 1, … up to n//2, divided by d * n.",
        "1-d array of n//2 + 1 frequencies, of the data type asked for.",
        ">>> xp.fft.rfftfreq(4)\nArray([0.  , 0.25, 0.5 ], dtype=strictarray.float64)",
    )
    .refuses(REFUSES_FREQUENCIES),
    row(
        "fft.rfftn",
        &[REAL, S, AXES, NORM],
        ResultDType::Complex,
        "The discrete Fourier transform of real numbers along several axes: along the last one its first half.",
        "array of the shape of x, but of the sizes s along the axes, the last one s//2 + 1, and of the complex data type of x's precision.",
        ">>> xp.fft.rfftn(xp.asarray([[1.0, 2.0, 0.0, 0.0]]))\nArray([[ 3.+0.j,  1.-2.j, -1.+0.j]], dtype=strictarray.complex128)",
    )
    .refuses(refuses!("there are no axes, or s and axes name different numbers of them")),
];
