//! Every refusal as a row: which exception, which section of the standard, what is required, what to write instead.
//!
//! A message is built from these rows in one place (`strictarray_core::Error`), so that wording, attributes and tests
//! have one source.

/// The Python exception that a rule raises. The binding turns these into types, in one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Exception {
    /// `TypeError`: a kind of object or a data type.
    Type,
    /// `ValueError`: a value, a device, a shape.
    Value,
    /// `IndexError`.
    Index,
    /// `OverflowError`: a scalar out of a data type's range.
    Overflow,
    /// `BufferError`: exchange refused.
    Buffer,
    /// `MemoryError`.
    Memory,
    /// `RuntimeError`: a flag is off, a host read is refused.
    Runtime,
    /// `AttributeError`: not in this version.
    Attribute,
    /// `ValueError` and `BufferError` in one: a copy is needed and `copy=False`.
    CopyRefused,
    /// `TypeError` and `ValueError` in one: an argument that came with a later version.
    LaterArgument,
    /// `IndexError` and `ValueError` in one: an axis that the array does not have.
    Axis,
    /// `AttributeError` and `ValueError` in one: an attribute that this array does not have.
    NoSuchValue,
    /// `LinAlgError`, a `ValueError`: a matrix that has not what is asked for.
    LinearAlgebra,
    /// `KeyboardInterrupt` or whatever a signal handler raised: already set by the interpreter.
    Interrupted,
}

impl Exception {
    /// The exception's name, for documentation.
    pub const fn name(self) -> &'static str {
        match self {
            Exception::Type => "TypeError",
            Exception::Value => "ValueError",
            Exception::Index => "IndexError",
            Exception::Overflow => "OverflowError",
            Exception::Buffer => "BufferError",
            Exception::Memory => "MemoryError",
            Exception::Runtime => "RuntimeError",
            Exception::Attribute => "AttributeError",
            Exception::CopyRefused => "ValueError and BufferError",
            Exception::LaterArgument => "TypeError and ValueError",
            Exception::Axis => "IndexError and ValueError",
            Exception::NoSuchValue => "AttributeError and ValueError",
            Exception::LinearAlgebra => "ValueError",
            Exception::Interrupted => "KeyboardInterrupt",
        }
    }
}

/// One thing that the standard, or this library beyond it, refuses.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// The id that an exception carries as `rule`.
    pub id: &'static str,
    /// What is raised.
    pub exception: Exception,
    /// The section of the standard that an exception carries as `section`.
    pub section: &'static str,
    /// What is required, as a clause that follows the argument and what was got.
    pub requires: &'static str,
    /// The portable way to write it, as a sentence.
    pub instead: &'static str,
}

macro_rules! rules {
    ($($(#[doc = $doc:literal])* $name:ident: $exception:ident, $id:literal, $section:literal, $requires:literal, $instead:literal;)*) => {
        $(
            $(#[doc = $doc])*
            pub static $name: Rule = Rule {
                id: $id,
                exception: Exception::$exception,
                section: $section,
                requires: $requires,
                instead: $instead,
            };
        )*

        /// Every rule, for documentation and tests.
        pub static ALL: &[&Rule] = &[$(&$name),*];
    };
}

rules! {
    // ---- calls -----------------------------------------------------------------------------------------------
    /// Too few, too many or unknown arguments.
    ARGUMENTS: Type, "arguments", "Function and method signatures",
        "the call must fit the signature of the standard", "See help() of the function for its signature.";
    /// An argument that a later version of the standard brought.
    LATER_ARGUMENT: LaterArgument, "later-argument", "Versioning",
        "the version in force does not have this argument", "Leave it out, or set the api_version flag to a version that has it.";
    /// A name that a later version brought.
    LATER_NAME: Attribute, "later-name", "Versioning",
        "the version in force does not have this name", "Set the api_version flag to a version that has it, or write it with older functions.";
    /// A name that no version has.
    UNKNOWN_NAME: Attribute, "unknown-name", "Array API specification",
        "the namespace has the names of the standard and no others", "See dir() of the module, or look for the standard's name of it.";
    /// A method that arrays of other libraries have.
    NO_METHOD: Attribute, "no-method", "Array object",
        "arrays have only the attributes and methods of the standard", "Portable code uses functions of the namespace, x.__array_namespace__().";
    /// The name of an extension that a flag switched off.
    EXTENSION_ABSENT: Attribute, "extension-absent", "Extensions",
        "a conforming library may lack this extension, and the flag enabled_extensions says so", "Ask hasattr() first, or enable the extension.";
    /// A function of an extension that a flag switched off.
    EXTENSION_OFF: Runtime, "extension-off", "Extensions",
        "a conforming library may lack this extension, and the flag enabled_extensions says so",
        "Ask hasattr() of the namespace before its extension is used, or enable the extension.";
    /// A behaviour that a later version brought.
    LATER_BEHAVIOUR: Type, "later-behaviour", "Versioning",
        "the version in force does not have this behaviour", "Set the api_version flag to a version that has it.";
    /// A version text that is none.
    UNKNOWN_VERSION: Value, "unknown-version", "Versioning",
        "api_version must be one of 2021.12, 2022.12, 2023.12, 2024.12, 2025.12, 2026.12 (draft)", "Write one of these as a str.";
    /// A version that is no text.
    VERSION_TYPE: Type, "version-type", "Versioning",
        "api_version must be a str such as \"2025.12\"", "Write it in quotation marks.";
    /// A flag value of the wrong kind.
    FLAG_TYPE: Type, "flag-type", "strictarray: flags",
        "the flag takes another kind of value", "See help(ArrayAPIStrictFlags) for the values.";
    /// A flag value that is none.
    FLAG_VALUE: Value, "flag-value", "strictarray: flags",
        "the flag does not take this value", "See help(ArrayAPIStrictFlags) for the values.";
    /// A feature that a flag switched off.
    FLAG_OFF: Runtime, "flag-off", "Data-dependent output shapes",
        "a conforming library may lack this (data-dependent shapes are optional), and the flag says so", "Write it without data-dependent shapes (where(), a fixed size), or set the flag.";

    // ---- kinds of object -------------------------------------------------------------------------------------
    /// Not an array of ours where one is asked.
    NOT_AN_ARRAY: Type, "not-an-array", "Array object",
        "an array of this namespace is required", "Convert first: asarray() for Python scalars, sequences and buffers, from_dlpack() for other libraries' arrays.";
    /// A value where an array or a Python scalar is asked.
    NOT_ARRAY_OR_SCALAR: Type, "not-array-or-scalar", "Mixing arrays with Python scalars",
        "an array of this namespace or a Python bool, int, float or complex (no subclass) is required",
        "Convert first: asarray() for lists, from_dlpack() for other libraries' arrays, float() and the like for their scalars.";
    /// Python scalars only, no array.
    ONLY_SCALARS: Type, "only-scalars", "Mixing arrays with Python scalars",
        "at least one argument must be an array", "Wrap one of them in asarray().";
    /// Not a plain Python int.
    NOT_AN_INT: Type, "not-an-int", "Function and method signatures",
        "a Python int is required (no bool, no NumPy integer, no 0-d array)", "Write int(...) around it.";
    /// Not a plain Python bool.
    NOT_A_BOOL: Type, "not-a-bool", "Function and method signatures",
        "a Python bool is required", "Write True or False, or bool(...) around it.";
    /// Not a Python scalar of a kind that is accepted.
    NOT_A_SCALAR: Type, "not-a-scalar", "Function and method signatures",
        "a Python scalar is required", "Write a Python number, or convert with float(...) or int(...).";
    /// Not one of the texts that are allowed.
    NOT_A_CHOICE: Value, "not-a-choice", "Function and method signatures",
        "one of the listed texts is required", "Write one of them.";
    /// Not a dtype object of ours.
    NOT_A_DTYPE: Type, "not-a-dtype", "Data Types",
        "a dtype object of this namespace is required", "Write xp.float64 and the like; names as text and other libraries' dtypes are not portable.";
    /// Not a device object of ours.
    NOT_A_DEVICE: Value, "not-a-device", "Device Support",
        "a device object of this namespace is required", "Pass x.device, or one of __array_namespace_info__().devices().";
    /// A shape that is no int and no tuple of ints.
    SHAPE_TYPE: Type, "shape-type", "Creation Functions",
        "an int or a tuple of ints is required (no list, no NumPy integer, no float)", "Write tuple(...) or int(...) around it.";
    /// Not a tuple where the standard says tuple.
    NOT_A_TUPLE: Type, "not-a-tuple", "Function and method signatures",
        "a tuple is required", "Write a tuple: (n,) for one int n, tuple(...) around a list.";

    // ---- values ----------------------------------------------------------------------------------------------
    /// A negative size.
    SHAPE_NEGATIVE: Value, "shape-negative", "Creation Functions",
        "sizes must not be negative", "Write a size of 0 or more.";
    /// A shape whose number of bytes does not fit the address space.
    SHAPE_TOO_LARGE: Value, "shape-too-large", "Array object",
        "the array must fit the address space", "Choose a smaller shape.";
    /// More dimensions than we have.
    NDIM: Value, "max-dimensions", "Inspection",
        "at most 64 dimensions are supported (capabilities()['max dimensions'])", "Reshape to fewer dimensions.";
    /// No memory.
    MEMORY: Memory, "out-of-memory", "Array object",
        "the memory could not be had", "Choose a smaller shape or process in parts.";
    /// A scalar outside the range of its data type.
    SCALAR_RANGE: Overflow, "scalar-range", "Mixing arrays with Python scalars",
        "a Python int must be within the bounds of the data type", "Choose a wider dtype explicitly, if the device has one.";
    /// A step of zero.
    STEP_ZERO: Value, "step-zero", "Creation Functions", "the step must not be 0", "Write another step.";
    /// A value that is not allowed.
    VALUE: Value, "value", "Function and method signatures", "the value is outside what the function takes", "See help() of the function.";
    /// An axis that the array does not have.
    AXIS: Axis, "axis", "Function and method signatures",
        "an axis must be in [-N, N) for an array of N dimensions", "Check x.ndim first.";
    /// An axis that is named twice.
    AXIS_REPEATED: Value, "axis-repeated", "Function and method signatures",
        "each axis may be named once", "Leave out what is repeated; -1 is the last axis.";
    /// No axis where several are there to choose from.
    AXIS_REQUIRED: Value, "axis-required", "Function and method signatures",
        "the axis must be given unless the array has one dimension", "Write axis=..., or reshape to one dimension first.";
    /// An int that is no axis, and no tuple of such.
    AXES_TYPE: Type, "axes-type", "Function and method signatures",
        "a Python int or a tuple of Python ints is required (no list, no bool, no NumPy integer)", "Write Python ints: int(axis), or a tuple of them.";
    /// An extreme of no elements.
    EMPTY: Value, "empty-reduction", "Statistical Functions",
        "at least one element is required", "Check the size first, or concatenate a value that counts as the least.";
    /// A 0-d array where there must be an axis.
    NDIM_ONE: Value, "at-least-1d", "Array object",
        "at least one dimension is required", "Reshape to (1,) first.";
    /// Shapes that don't broadcast.
    BROADCAST: Value, "broadcast", "Broadcasting",
        "shapes could not be broadcast together: sizes must be equal or 1, aligned at the last axis", "Reshape, or add axes of size 1 with None.";
    /// Shapes that don't fit a matrix product.
    MATMUL_SHAPE: Value, "matmul-shape", "Linear Algebra Functions: matmul",
        "neither operand may be 0-d, and the last axis of the first must have the size of the last but one axis of the second (its only axis if 1-d)",
        "Transpose with .mT, or multiply element by element with *.";
    /// Fewer than two axes.
    NDIM_TWO: Value, "at-least-2d", "Array object",
        "at least two dimensions are required", "Add axes with None first.";
    /// T of an array that is not a matrix.
    NOT_A_MATRIX: NoSuchValue, "T-needs-2d", "Array object: T",
        "exactly two dimensions are required", "Use .mT for stacks of matrices, permute_dims() for the rest.";

    /// mT of an array with fewer than two dimensions.
    NOT_MATRICES: NoSuchValue, "mT-needs-2d", "Array object: mT",
        "at least two dimensions are required", "Add axes with None first.";
    /// Not as many axes as needed.
    AXIS_COUNT: Value, "axis-count", "Function and method signatures",
        "the number of axes must fit", "Name as many axes as the function asks for.";
    /// A new shape with another number of elements.
    RESHAPE_SIZE: Value, "reshape-size", "Manipulation Functions: reshape",
        "the new shape must have as many elements as the array", "Let one size be inferred: write -1 for it.";
    /// A -1 that can't be inferred, or any other negative size.
    RESHAPE_INFER: Value, "reshape-infer", "Manipulation Functions: reshape",
        "one size may be -1, and the other sizes must divide the number of elements and not be 0", "Write the sizes out.";
    /// An axis to squeeze whose size is not 1.
    SQUEEZE_SIZE: Value, "squeeze-size", "Manipulation Functions: squeeze",
        "an axis must have size 1 to be squeezed", "Index the axis instead, or reshape.";
    /// Not a tuple or list of arrays.
    NOT_A_SEQUENCE: Type, "not-a-sequence", "Manipulation Functions",
        "a tuple or list of arrays is required", "Write them as a tuple or list; an array is split by unstack().";
    /// Arrays to join, and there are none.
    NOTHING_TO_JOIN: Value, "nothing-to-join", "Manipulation Functions",
        "at least one array is required", "Pass an array.";
    /// Arrays to join whose shapes do not fit.
    JOIN_SHAPES: Value, "join-shapes", "Manipulation Functions",
        "the arrays must have the same shape, for concat except along the axis", "Reshape or broadcast them first.";
    /// A negative number of repetitions, or a number of counts that does not fit.
    REPETITIONS: Value, "repetitions", "Manipulation Functions",
        "numbers of repetitions must not be negative", "Write 0 or more.";
    /// Contracted axes of different sizes.
    CONTRACTION: Value, "contraction", "Linear Algebra Functions",
        "contracted axes must have the same size in both arrays; they are not broadcast", "Check the axes, or broadcast_to() first.";
    /// Another number of axes than one.
    NOT_A_VECTOR: Value, "exactly-1d", "Function and method signatures",
        "exactly one dimension is required", "Write reshape(x, (-1,)) first.";
    /// A sorter of another shape than what it sorts.
    SORTER_SHAPE: Value, "sorter-shape", "Searching Functions: searchsorted",
        "sorter must have the shape of x1", "Write sorter=argsort(x1).";
    /// A sorter with indices outside of what it sorts.
    SORTER_BOUNDS: Value, "sorter-bounds", "Searching Functions: searchsorted",
        "sorter must hold indices of x1, in [0, n) for n elements", "Write sorter=argsort(x1).";

    /// A transform along an axis without elements.
    TRANSFORM_EMPTY: Value, "transform-empty", "Fourier Transform Extension",
        "a transform needs at least one element along each axis", "Check the size first, or give n (s) to pad with zeros.";
    /// A number of elements that is none.
    TRANSFORM_SIZE: Value, "transform-size", "Fourier Transform Extension",
        "the number of elements must be 1 or more (in s, -1 stands for the size of x)", "Write the number of elements.";
    /// -1 for the axis of which a half is given.
    TRANSFORM_HALF: Value, "transform-half", "Fourier Transform Extension",
        "-1 does not say how many elements the last axis of the result has: 2 * (size - 1), or one more", "Write the number of elements.";
    /// Samples at distance 0.
    SPACING: Value, "spacing", "Fourier Transform Extension",
        "the distance of two samples must not be 0", "Write a distance, or leave d out for 1.0.";
    /// Sizes for axes that are not named.
    SIZES_WITHOUT_AXES: Value, "sizes-without-axes", "Fourier Transform Extension",
        "with s, axes must say which axes are meant", "Write axes=tuple(range(x.ndim - len(s), x.ndim)) for the last ones.";

    // ---- linear algebra --------------------------------------------------------------------------------------
    /// A matrix that is not square.
    SQUARE: Value, "square-matrix", "Linear Algebra Extension",
        "square matrices are required: the last two axes must have the same size", "Check x.shape[-2:] first; pinv() takes any matrix.";
    /// A matrix without an inverse.
    SINGULAR: LinearAlgebra, "singular-matrix", "Linear Algebra Extension",
        "the matrix must have an inverse (what libraries do with a singular one is unspecified)", "Use pinv(), or look at matrix_rank() or det() first.";
    /// A matrix without a Cholesky decomposition.
    NOT_POSITIVE_DEFINITE: LinearAlgebra, "not-positive-definite", "Linear Algebra Extension: cholesky",
        "the matrix must be positive definite (what libraries do with another one is unspecified)", "Look at eigvalsh() first, or add a small multiple of the identity.";
    /// NaN or an infinity where a decomposition is asked for.
    NOT_FINITE: LinearAlgebra, "not-finite", "Linear Algebra Extension",
        "the elements must be finite (what libraries do with NaN and infinities is unspecified)", "Check all(isfinite(x)) first.";
    /// An iteration that does not end.
    NO_CONVERGENCE: LinearAlgebra, "no-convergence", "Linear Algebra Extension",
        "the iteration must come to an end, which it does for almost every matrix", "Scale the matrix, or perturb it slightly.";
    /// An order that is no norm's.
    NORM_ORDER: Value, "norm-order", "Linear Algebra Extension",
        "the standard has no norm of this order", "Write one of the orders that help() of the function lists.";
    /// Vectors of another size than 3.
    CROSS_SIZE: Value, "cross-size", "Linear Algebra Extension: cross",
        "the axis of the vectors must have size 3 in both arrays; it is not broadcast", "Check the axis, or pad with zeros first.";

    // ---- data types ------------------------------------------------------------------------------------------
    /// A data type outside the documented kind.
    DTYPE_KIND: Type, "dtype-kind", "Data Types",
        "the data type must be of the kind that the standard documents for the argument",
        "Convert with astype() first, complex numbers with real(), imag() or abs().";
    /// A dtype= outside the documented kind.
    DTYPE_ARGUMENT: Type, "dtype-argument", "Creation Functions",
        "the dtype must be of a kind that the function documents", "Choose such a dtype, then astype(); finfo() tells of floating-point ones, iinfo() of integer ones.";
    /// A dtype= in which to compute that would lose a kind.
    LOSSY_DTYPE: Type, "lossy-dtype", "Statistical Functions",
        "the dtype must not be of a lesser kind than the array's (no complex to real, no float to integer)", "Convert with astype() first.";
    /// Two data types without a common one.
    PROMOTION: Type, "promotion", "Type Promotion Rules",
        "the standard defines no promotion between kinds, nor of signed integers with uint64",
        "Convert one of them with astype() first.";
    /// Nothing to promote.
    PROMOTION_EMPTY: Value, "promotion-empty", "Data Type Functions: result_type",
        "at least one array or dtype is required", "Pass an array or a dtype.";
    /// A Python scalar of another kind than the array.
    SCALAR_KIND: Type, "scalar-kind", "Mixing arrays with Python scalars",
        "a Python scalar must be of the array's kind (bool with bool; int with numeric; float and complex with floating-point)",
        "Write a scalar of that kind, or convert the array with astype() first.";
    /// A cast that `astype` does not have.
    CAST: Type, "cast-complex-to-real", "Data Type Functions: astype",
        "The Array API standard stipulates that casting complex to real data types is not permitted", "Take the part that is meant: real(x), imag(x) or abs(x).";
    /// A conversion that would lose a kind in a creation function.
    CREATION_CAST: Type, "creation-cast", "Creation Functions",
        "a value must not change its kind in the dtype asked for (no complex to real, no float to integer, nothing but bool to bool)",
        "Convert the values explicitly first: int(...), or asarray() and astype().";
    /// Two dtypes differ where in-place forbids it.
    INPLACE_DTYPE: Type, "in-place-dtype", "Array object: in-place operators",
        "the result of an in-place operator must have the data type of the left operand", "Write x = x + y, or convert y with astype().";
    /// The shape would grow in place.
    INPLACE_SHAPE: Value, "in-place-shape", "Array object: in-place operators",
        "the result of an in-place operator must have the shape of the left operand", "Write x = x + y.";
    /// A negative exponent among integers.
    INTEGER_POWER: Value, "integer-power", "Elementwise Functions: pow",
        "Integers to negative integer powers are not allowed", "Convert to a floating-point dtype first.";

    /// A lower bound above the upper one.
    CLIP_BOUNDS: Value, "clip-bounds", "Elementwise Functions: clip",
        "min must be less than or equal to max (elsewhere this is unspecified)", "Order the bounds with minimum() and maximum() first.";

    // ---- devices ---------------------------------------------------------------------------------------------
    /// Arrays on different devices.
    DEVICE_MIXED: Value, "device-mixed", "Device Support",
        "all arrays of a call must be on one device", "Move one of them: x.to_device(device), asarray(x, device=device).";
    /// A data type that a device does not have.
    DEVICE_DTYPE: Value, "device-dtype", "Device Support",
        "the device does not support this data type (see __array_namespace_info__().dtypes(device=...))", "Choose a supported dtype, or another device.";
    /// A stream.
    STREAM: Value, "stream", "Device Support",
        "devices of this library have no streams", "Pass stream=None.";
    /// A device name that is none.
    DEVICE_NAME: Value, "device-name", "Device Support",
        "the device must be one of CPU_DEVICE, device1, device2, no_float64, no_x64", "Write one of these names.";
    /// A device name that is no text.
    DEVICE_NAME_TYPE: Type, "device-name-type", "Device Support",
        "the name of a device is a str", "Write Device(\"device1\"), or use the device object itself.";
    /// A host read that a device refuses.
    HOST_READ: Runtime, "host-read", "Device Support",
        "data leaves an emulated accelerator only by an explicit transfer", "Write x.to_device(CPU_DEVICE) first.";

    // ---- indexing --------------------------------------------------------------------------------------------
    /// A key of a kind that the standard does not have.
    INDEX_TYPE: Index, "index-type", "Indexing",
        "a key is made of ints, slices, ..., None, or is one boolean array, or is made of ints and integer arrays",
        "Convert lists with asarray(); write bool masks as arrays.";
    /// Fewer indices than axes.
    INDEX_FLAT: Index, "index-flat", "Indexing: Multi-axis Indexing",
        "without an ellipsis there must be one index for each axis (None counts for none)", "Add a trailing ...: x[i, ...]; with an integer array, use take(x, i, axis=0).";
    /// More indices than axes.
    INDEX_TOO_MANY: Index, "index-too-many", "Indexing: Multi-axis Indexing",
        "there must not be more indices than axes", "Remove an index.";
    /// Two ellipses.
    INDEX_ELLIPSES: Index, "index-ellipses", "Indexing: Multi-axis Indexing",
        "only one ellipsis is allowed", "Write : for the axes between.";
    /// An int out of bounds.
    INDEX_BOUNDS: Index, "index-bounds", "Indexing: Single-axis Indexing",
        "an int index must be in [-n, n) for an axis of size n (elsewhere this is unspecified)", "Check the size first.";
    /// A slice that may be out of bounds elsewhere.
    SLICE_BOUNDS: Index, "slice-bounds", "Indexing: Slice Syntax",
        "a slice i:j:k of an axis of size n needs -n <= i <= n, and -n <= j <= n (k > 0) or -n-1 <= j <= max(0, n-1) (k < 0); clipping is unspecified",
        "Write min(j, x.shape[axis]), or leave the bound out.";
    /// A slice step of 0.
    SLICE_STEP: Value, "slice-step", "Indexing: Slice Syntax",
        "the step of a slice must not be 0", "Write another step.";
    /// A slice bound that is no int.
    SLICE_TYPE: Index, "slice-type", "Indexing: Slice Syntax",
        "bounds and step of a slice must be None or an int", "Write int(...) around it.";
    /// A mask beside other indices.
    MASK_SOLE: Index, "mask-sole-index", "Indexing: Boolean Array Indexing",
        "a boolean array must be the sole index", "Index in two steps: x[mask][...].";
    /// A mask whose shape does not fit.
    MASK_SHAPE: Index, "mask-shape", "Indexing: Boolean Array Indexing",
        "a boolean array must have the sizes of the leading axes that it masks", "Make the mask from the array itself (x > 0), or with its shape.";
    /// Integer arrays beside slices.
    INDEX_ARRAY_MIXED: Index, "index-array-mixed", "Indexing: Integer Array Indexing",
        "integer arrays may be combined only with ints and integer arrays, one for each axis", "Use take(), or index in two steps.";
    /// Integer arrays as an assignment key.
    INDEX_ARRAY_ASSIGN: Index, "index-array-assign", "Array object: __setitem__",
        "assignment with integer arrays is not specified", "Use a boolean mask, or where().";
    /// Integer arrays that don't broadcast.
    INDEX_ARRAY_SHAPES: Index, "index-array-shapes", "Indexing: Integer Array Indexing",
        "integer arrays in a key must broadcast together", "Reshape them.";
    /// Deletion of elements.
    DELETION: Type, "deletion", "Array object: __setitem__",
        "elements of an array can't be deleted", "Select what stays: x[mask].";
    /// newaxis in an assignment.
    NEWAXIS_ASSIGN: Index, "newaxis-assign", "Array object: __setitem__",
        "None is not specified in an assignment key", "Give the value the axes it needs.";
    /// A value whose dtype does not promote to x's.
    ASSIGN_DTYPE: Type, "assign-dtype", "Array object: __setitem__",
        "the value must promote to the data type of the array it is assigned to (no cast that loses a kind or range)", "Convert the value first: astype() for arrays, int(...) or float(...) for scalars.";
    /// A value whose shape does not broadcast to the selection.
    ASSIGN_SHAPE: Value, "assign-shape", "Array object: __setitem__",
        "the value's shape must broadcast to the shape of the selection", "Reshape the value.";
    /// A write to a read-only array.
    READ_ONLY: Value, "read-only", "Copy-view behavior and mutability",
        "the array is read-only: its memory belongs to an exporter that forbids writes, or broadcasting repeats its elements", "Copy first: asarray(x, copy=True).";

    // ---- protocols -------------------------------------------------------------------------------------------
    /// bool() and the like of an array with dimensions.
    SCALAR_CONVERSION: Type, "scalar-conversion", "Array object",
        "only a 0-d array converts to a Python scalar", "Index one element first, or use all() or any().";
    /// int() and the like of a data type that does not convert.
    SCALAR_CONVERSION_KIND: Type, "scalar-conversion-kind", "Array object",
        "the data type does not convert to this Python scalar", "Convert explicitly: int(x) or float(x) for indices and counts, real(x) of a complex array.";
    /// int() of NaN.
    INT_OF_NAN: Value, "int-of-nan", "Array object: __int__", "NaN has no integer part", "Check isnan() first.";
    /// int() of an infinity.
    INT_OF_INF: Overflow, "int-of-infinity", "Array object: __int__", "an infinity has no integer part", "Check isinf() first.";
    /// Iteration of what is not 1-d.
    ITERATION: Type, "iteration", "Array object",
        "only a 1-d array is iterable", "Index: x[i, ...] for i in range(x.shape[0]).";
    /// A format for an array.
    FORMAT: Type, "format", "Array object",
        "arrays have no formats in the standard", "Write float(x), int(x) or the like in front of the colon.";
    /// `in`.
    CONTAINS: Type, "contains", "Array object", "arrays have no `in` in the standard", "Write any(x == value).";
    /// hash().
    HASH: Type, "hash", "Array object", "arrays are not hashable", "Use id(x), or a tuple of its values.";
    /// Array() itself.
    CONSTRUCTOR: Type, "constructor", "Array object",
        "arrays are made by creation functions", "Write asarray(...).";
    /// == with an array of another library.
    FOREIGN_COMPARISON: Type, "foreign-comparison", "Array object: __eq__",
        "comparison with another library's array is not specified", "Convert first: from_dlpack(other), or float() and the like for another library's scalar.";

    // ---- asarray ---------------------------------------------------------------------------------------------
    /// An object that asarray does not take.
    ASARRAY_OBJECT: Type, "asarray-object", "Creation Functions: asarray",
        "asarray takes an array, a Python scalar, a (nested) list or tuple of Python scalars, or an object with the buffer protocol",
        "Convert first: from_dlpack() for other libraries' arrays, float() or int() for their scalars, stack() for sequences of arrays, a list for the rest.";
    /// A sequence with sub-sequences of different lengths.
    ASARRAY_RAGGED: Value, "asarray-ragged", "Creation Functions: asarray",
        "nested sequences must have equal lengths at each depth", "Pad the sequences.";
    /// A buffer with a format that is no data type of the standard.
    BUFFER_FORMAT: Type, "buffer-format", "Creation Functions: asarray",
        "the buffer's format must be that of a data type of the standard, in native byte order", "Convert it in the exporting library first.";
    /// A copy is needed, copy=False.
    COPY_NEEDED: Value, "copy-needed", "Creation Functions",
        "copy=False, but the result can't share memory with the input", "Write copy=None or copy=True.";

    // ---- DLPack ----------------------------------------------------------------------------------------------
    /// copy=False in from_dlpack.
    DLPACK_COPY_NEEDED: CopyRefused, "dlpack-copy-needed", "Creation Functions: from_dlpack",
        "copy=False, but the result can't share memory with the input", "Write copy=None or copy=True.";
    /// A device that never gives its data to the host.
    DLPACK_DEVICE_REFUSED: Buffer, "dlpack-device-refused", "Data interchange mechanisms",
        "data leaves an emulated accelerator only by an explicit transfer", "Write x.to_device(CPU_DEVICE) first.";
    /// A dl_device that is not ours.
    DLPACK_DL_DEVICE: Buffer, "dlpack-dl-device", "Array object: __dlpack__",
        "dl_device must be None or (1, 0): this array's memory is CPU memory", "Leave dl_device out, or ask for (1, 0).";
    /// A stream on the CPU.
    DLPACK_STREAM: Buffer, "dlpack-stream", "Array object: __dlpack__",
        "stream must be None: the CPU has no streams", "Leave stream out.";
    /// A read-only array and a legacy capsule.
    DLPACK_READ_ONLY: Buffer, "dlpack-read-only", "Data interchange mechanisms",
        "a capsule before DLPack 1.0 can't say that memory is read-only", "Pass max_version=(1, 0) or later, or copy first.";
    /// Not an exporter.
    DLPACK_NO_PROTOCOL: Attribute, "dlpack-no-protocol", "Creation Functions: from_dlpack",
        "the object must have __dlpack__ and __dlpack_device__", "Write asarray() for Python objects and buffers.";
    /// NULL from a C consumer.
    DLPACK_NULL: Buffer, "dlpack-null", "Data interchange mechanisms",
        "the pointers of the C exchange API must not be NULL", "This is a fault of the calling library: report it there.";
    /// A major version that nobody knows yet.
    DLPACK_VERSION: Buffer, "dlpack-version", "Data interchange mechanisms",
        "versions 1.x and those before are known, and nothing of another major version may be read",
        "Update strictarray, or ask the exporter for max_version=(1, 3).";
    /// A device of an exporter that we don't have.
    DLPACK_FOREIGN_DEVICE: Buffer, "dlpack-foreign-device", "Creation Functions: from_dlpack",
        "only CPU memory (1, 0) can be taken in", "Move it to the CPU in its own library first, or (if not done already) pass device=CPU_DEVICE to ask for a copy there.";
    /// A data type outside the standard.
    DLPACK_DTYPE: Buffer, "dlpack-dtype", "Data interchange mechanisms",
        "the data type must be one of the standard's and supported by the target device", "Convert it in the exporting library first.";
    /// A struct that can't be right.
    DLPACK_INVALID: Buffer, "dlpack-invalid", "Data interchange mechanisms",
        "the exported tensor must be valid DLPack", "This is a fault of the exporting library: report it there.";
    /// A capsule of another name.
    DLPACK_CAPSULE: Buffer, "dlpack-capsule", "Data interchange mechanisms",
        "__dlpack__ must give a capsule named dltensor or dltensor_versioned that nobody consumed", "Call __dlpack__ once for each consumer.";
    /// A value of the wrong kind among the arguments of __dlpack__.
    DLPACK_ARGUMENT: Type, "dlpack-argument", "Array object: __dlpack__",
        "max_version and dl_device must be None or a tuple of two ints, copy None or a bool", "Write a tuple such as (1, 0), or for copy True, False or None.";
    /// A buffer that a device refuses.
    BUFFER_DEVICE: Buffer, "buffer-device", "Device Support",
        "data leaves an emulated accelerator only by an explicit transfer", "Write x.to_device(CPU_DEVICE) first.";
    /// A buffer request that does not fit the array.
    BUFFER_REQUEST: Buffer, "buffer-request", "strictarray: buffer protocol",
        "the array's memory does not have the property asked for", "Copy first: asarray(x, copy=True).";

    // ---- the process -----------------------------------------------------------------------------------------
    /// A signal arrived while a kernel ran.
    INTERRUPTED: Interrupted, "interrupted", "strictarray: signals", "the computation was interrupted", "Run it again.";
    /// Something of ours that should not happen.
    INTERNAL: Runtime, "internal", "strictarray", "this is a fault of strictarray", "Please report it with the call that led here.";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique_and_texts_are_there() {
        let mut ids: Vec<_> = ALL.iter().map(|r| r.id).collect();
        ids.sort_unstable();
        let n = ids.len();
        ids.dedup();
        assert_eq!(ids.len(), n);
        for rule in ALL {
            assert!(rule.id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-'), "{}", rule.id);
            assert!(!rule.section.is_empty() && !rule.requires.is_empty(), "{}", rule.id);
            assert!(rule.instead.ends_with('.'), "{}: `instead` is a sentence", rule.id);
            assert!(!rule.requires.ends_with('.'), "{}: `requires` is a clause", rule.id);
        }
    }
}
