//! The functions' part of the committed typing stubs, and the protocol of a namespace, are what the rows give.

use strictarray_standard::{
    Extension, extension_protocol, extension_stubs, function, functions, functions_of, protocol, stub, stubs,
};

const PACKAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../python/strictarray/");
const BEGIN: &str = "# --- generated from the rows of strictarray-standard: edit those, not this\n";
/// What comes before the first marker of a protocol: its class.
const NAMESPACE: &str = "\nclass Namespace(";
const END: &str = "# --- end of what is generated\n";
const BLESS: &str = "STRICTARRAY_BLESS";

/// Compares what a file has between the first markers after a text with what is wanted; with `STRICTARRAY_BLESS` set, writes it.
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "part of a test")]
fn check(file: &str, after: &str, wanted: &str) {
    let path = format!("{PACKAGE}{file}");
    let committed = std::fs::read_to_string(&path).unwrap();
    let find = |text: &str, from: usize| from + committed[from..].find(text).expect("the file has the marker");
    let begin = find(BEGIN, find(after, 0)) + BEGIN.len();
    // The marker may be indented.
    let end = committed[..find(END, begin)].rfind('\n').unwrap() + 1;
    let wanted = format!("\n{wanted}\n");
    if committed[begin..end] == wanted {
        return;
    }
    if std::env::var_os(BLESS).is_some() {
        let text = format!("{}{wanted}{}", &committed[..begin], &committed[end..]);
        std::fs::write(path, text).unwrap();
        return;
    }
    let differs = wanted.lines().zip(committed[begin..end].lines()).find(|(a, b)| a != b);
    panic!(
        "python/strictarray/{file} differs from what the rows give, first here: {differs:?}\n\
         Write it anew with: {BLESS}=1 cargo test -p strictarray-standard --test stubs"
    );
}

/// The name of an extension's protocol.
fn class(extension: Extension) -> &'static str {
    match extension {
        Extension::Linalg => "Linalg",
        Extension::Fft => "FFT",
    }
}

/// The extensions that there are.
fn with_rows() -> impl Iterator<Item = Extension> {
    Extension::ALL.into_iter().filter(|e| functions_of(Some(*e)).next().is_some())
}

#[test]
fn the_committed_stubs_are_those_of_the_rows() {
    check("__init__.pyi", "", &stubs());
    for extension in with_rows() {
        check(&format!("{}.pyi", extension.name()), "", &extension_stubs(extension));
    }
}

#[test]
fn the_committed_protocol_is_that_of_the_rows() {
    check("typing.py", NAMESPACE, &protocol());
    for extension in with_rows() {
        check("typing.py", &format!("\nclass {}(", class(extension)), &extension_protocol(extension));
    }
}

#[test]
fn a_scalar_may_stand_beside_an_array_but_not_alone() {
    let text = stub(function("subtract").unwrap());
    let heads: Vec<_> = text.lines().filter(|line| line.starts_with("def ")).collect();
    assert_eq!(
        heads,
        [
            "def subtract(x1: Array, x2: Array | complex, /) -> Array:",
            "def subtract(x1: complex, x2: Array, /) -> Array: ..."
        ]
    );
    assert!(stub(function("bitwise_left_shift").unwrap()).contains("x1: int, x2: Array, /"));
    assert!(stub(function("remainder").unwrap()).contains("x1: float, x2: Array, /"));
}

#[test]
fn every_kind_of_parameter_is_written_as_python_does() {
    for (name, head) in [
        (
            "zeros",
            "def zeros(shape: int | tuple[int, ...], *, dtype: DType | None = None, device: Device | None = None) -> Array:",
        ),
        ("matmul", "def matmul(x1: Array, x2: Array, /) -> Array:"),
        ("meshgrid", "def meshgrid(*arrays: Array, indexing: Literal[\"xy\", \"ij\"] = \"xy\") -> tuple[Array, ...]:"),
        ("__array_namespace_info__", "def __array_namespace_info__() -> NamespaceInfo:"),
        ("isdtype", "def isdtype(dtype: DType, kind: DType | _Kind | tuple[DType | _Kind, ...]) -> _bool:"),
    ] {
        assert_eq!(stub(function(name).unwrap()).lines().next(), Some(head));
    }
}

#[test]
fn what_a_function_returns_is_known() {
    for f in functions() {
        assert!(!stub(f).contains("-> object:"), "stub.rs does not know what {} returns", f.name);
    }
}

#[test]
fn no_line_is_too_long() {
    let of_extensions = with_rows().flat_map(|e| [extension_stubs(e), extension_protocol(e)]);
    for line in [stubs(), protocol()].into_iter().chain(of_extensions).collect::<String>().lines() {
        assert!(line.chars().count() <= 120, "{line}");
        assert_eq!(line.trim_end(), line);
    }
}
