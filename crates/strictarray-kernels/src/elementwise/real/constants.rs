//! Made by tools/polynomials.py, which says how.

#![allow(clippy::excessive_precision, clippy::approx_constant, reason = "made by a program")]

/// ln 2: the high part.
pub(super) const LN2_HIGH: f64 = 0.6931471805598903;
/// ln 2: the low part.
pub(super) const LN2_LOW: f64 = 5.497923018708371e-14;
/// log10 2: the high part.
pub(super) const LOG10_2_HIGH: f64 = 0.30102999566395283;
/// log10 2: the low part.
pub(super) const LOG10_2_LOW: f64 = 2.8363394551044964e-14;
/// log2 e: the high part.
pub(super) const LOG2_E_HIGH: f64 = 1.4426950408889634;
/// log2 e: the low part.
pub(super) const LOG2_E_LOW: f64 = 2.0355273740931033e-17;
/// log10 e: the high part.
pub(super) const LOG10_E_HIGH: f64 = 0.4342944819032518;
/// log10 e: the low part.
pub(super) const LOG10_E_LOW: f64 = 1.098319650216765e-17;
/// π: the high part.
pub(super) const PI_HIGH: f64 = 3.141592653589793;
/// π: the low part.
pub(super) const PI_LOW: f64 = 1.2246467991473532e-16;
/// π/2: the high part.
pub(super) const HALF_PI_HIGH: f64 = 1.5707963267948966;
/// π/2: the middle part.
pub(super) const HALF_PI_MIDDLE: f64 = 6.123233995736766e-17;
/// π/2: the low part.
pub(super) const HALF_PI_LOW: f64 = -1.4973849048591698e-33;
/// π/4: the high part.
pub(super) const QUARTER_PI_HIGH: f64 = 0.7853981633974483;
/// π/4: the low part.
pub(super) const QUARTER_PI_LOW: f64 = 3.061616997868383e-17;
/// 2/π.
pub(super) const TWO_OVER_PI: f64 = 0.6366197723675814;
/// (e^r - 1 - r) / r² for |r| up to ln 2 / 2; error below 2^-58.
pub(super) const EXP: [f64; 11] = [
    0.5,
    0.1666666666666667,
    0.04166666666666667,
    0.008333333333326141,
    0.0013888888888883752,
    0.00019841269874800683,
    2.4801587325533502e-05,
    2.75572554255029e-06,
    2.7557273661174726e-07,
    2.5105206475334834e-08,
    2.091467944897855e-09,
];
/// (cosh r - 1) / r² by r², for |r| up to ln 2 / 2; error below 2^-62.
pub(super) const COSH: [f64; 6] = [
    0.5,
    0.04166666666666668,
    0.0013888888888879082,
    2.480158733642152e-05,
    2.7557263301261295e-07,
    2.091812953395289e-09,
];
/// (sinh r - r) / r³ by r², for |r| up to ln 2 / 2; error below 2^-56.
pub(super) const SINH: [f64; 6] = [
    0.16666666666666666,
    0.008333333333333333,
    0.00019841269841263304,
    2.7557319247204925e-06,
    2.5052071109072172e-08,
    1.6086622488861147e-10,
];
/// (ln((1 + s) / (1 - s)) - 2s) / s³ by s², for s of 1 + f from √½ to √2; error below 2^-51.
pub(super) const LOG: [f64; 7] = [
    0.666666666666667,
    0.39999999999899505,
    0.28571428625976014,
    0.22222211134708592,
    0.18182889131563204,
    0.1533172139109577,
    0.14616452274062186,
];
/// (sin r - r) / r³ by r², for |r| up to π/4; error below 2^-56.
pub(super) const SIN: [f64; 7] = [
    -0.16666666666666666,
    0.008333333333333331,
    -0.00019841269841265065,
    2.755731921933913e-06,
    -2.505210623243528e-08,
    1.6058531617037152e-10,
    -7.586697002817504e-13,
];
/// (cos r - 1 + r²/2) / r⁴ by r², for |r| up to π/4; error below 2^-58.
pub(super) const COS: [f64; 6] = [
    0.041666666666666664,
    -0.0013888888888887398,
    2.4801587298765665e-05,
    -2.7557317271718644e-07,
    2.087614626607931e-09,
    -1.1382632258093615e-11,
];
/// (asin s - s) / s³ by s², for s up to 1/2; error below 2^-55.
pub(super) const ASIN: [f64; 13] = [
    0.16666666666666669,
    0.07499999999998433,
    0.04464285714635543,
    0.030381944138531247,
    0.02237217294214989,
    0.017352392720869973,
    0.013971212973552933,
    0.011479177415184906,
    0.01032281435018578,
    0.005457506718640358,
    0.01740087944269402,
    -0.014851887071247204,
    0.028757851367421566,
];
/// (atan t - t) / t³ by t², for t up to tan(π/8); error below 2^-54.
pub(super) const ATAN: [f64; 11] = [
    -0.3333333333333333,
    0.1999999999999552,
    -0.14285714284666534,
    0.11111111015255701,
    -0.0909090457809704,
    0.07692183190202043,
    -0.06664511438591643,
    0.05858148836440617,
    -0.050854493383409805,
    0.03923164675132557,
    -0.019176872981101354,
];
/// (e^r - 1 - r) / r², for single precision; error below 2^-35.
pub(super) const SINGLE_EXP: [f64; 7] = [
    0.5,
    0.16666666718997808,
    0.041666666718981143,
    0.008333298483621828,
    0.0013888854049481818,
    0.00019899274069434545,
    2.48595783333601e-05,
];
/// As LOG, for single precision; error below 2^-29.
pub(super) const SINGLE_LOG: [f64; 4] =
    [0.6666666655449622, 0.4000012184051494, 0.28550820735546273, 0.23330469404444681];
/// As LOG, for powers in single precision; error below 2^-37.
pub(super) const SINGLE_POWER_LOG: [f64; 5] =
    [0.666666666673751, 0.3999999879732826, 0.2857175453781818, 0.22191400709443643, 0.1936265606256955];
/// The terms behind 2s + 2/3 s³, over s⁵ by s², for powers; error below 2^-55.
pub(super) const POWER_LOG: [f64; 9] = [
    0.4,
    0.28571428571428564,
    0.22222222222228424,
    0.1818181817965822,
    0.15384615760981138,
    0.13333296549283646,
    0.11766812478605233,
    0.10456341665519514,
    0.10762293955403303,
];
/// 2/3: the high part.
pub(super) const TWO_THIRDS_HIGH: f64 = 0.6666666666666666;
/// 2/3: the low part.
pub(super) const TWO_THIRDS_LOW: f64 = 3.700743415417188e-17;
/// As SIN, for single precision; error below 2^-35.
pub(super) const SINGLE_SIN: [f64; 4] =
    [-0.16666666663855267, 0.008333331874701885, -0.000198400867308877, 2.724992521993603e-06];
/// As COS, for single precision; error below 2^-38.
pub(super) const SINGLE_COS: [f64; 4] =
    [0.041666666664321186, -0.0013888887672009842, 2.4800600373403383e-05, -2.7300958717208805e-07];
/// ln 2, in single precision: the high part.
pub(super) const F32_LN2_HIGH: f32 = 0.693145751953125;
/// ln 2, in single precision: the low part.
pub(super) const F32_LN2_LOW: f32 = 1.428606765330187e-06;
/// log10 2, in single precision: the high part.
pub(super) const F32_LOG10_2_HIGH: f32 = 0.301025390625;
/// log10 2, in single precision: the low part.
pub(super) const F32_LOG10_2_LOW: f32 = 4.605039066518657e-06;
/// log2 e, in single precision: the high part.
pub(super) const F32_LOG2_E_HIGH: f32 = 1.4426950216293335;
/// log2 e, in single precision: the low part.
pub(super) const F32_LOG2_E_LOW: f32 = 1.925963033500011e-08;
/// log10 e, in single precision: the high part.
pub(super) const F32_LOG10_E_HIGH: f32 = 0.4342944920063019;
/// log10 e, in single precision: the low part.
pub(super) const F32_LOG10_E_LOW: f32 = -1.0103049952192578e-08;
/// π/4, in single precision: the high part.
pub(super) const F32_QUARTER_PI_HIGH: f32 = 0.7853981852531433;
/// π/4, in single precision: the low part.
pub(super) const F32_QUARTER_PI_LOW: f32 = -2.1855694143368964e-08;
/// As EXP, in single precision; error below 2^-27.
pub(super) const F32_EXP: [f32; 6] =
    [0.5, 0.1666666716337204, 0.04166646674275398, 0.00833331048488617, 0.0013933641603216529, 0.00019890980911441147];
/// As COSH, in single precision; error below 2^-28.
pub(super) const F32_COSH: [f32; 3] = [0.5, 0.04166646674275398, 0.0013933641603216529];
/// As SINH, in single precision; error below 2^-27.
pub(super) const F32_SINH: [f32; 3] = [0.1666666716337204, 0.00833331048488617, 0.00019890980911441147];
/// (ln(1 + f) - f + f²/2) / f³, in single precision; error below 2^-24.
pub(super) const F32_LOG: [f32; 9] = [
    0.3333333134651184,
    -0.2499999701976776,
    0.20000730454921722,
    -0.1666785031557083,
    0.14248551428318024,
    -0.12424037605524063,
    0.11689071357250214,
    -0.11494546383619308,
    0.0698070228099823,
];
/// As ASIN, in single precision; error below 2^-26.
pub(super) const F32_ASIN: [f32; 6] = [
    0.1666666567325592,
    0.07500094175338745,
    0.04459940269589424,
    0.031100662425160408,
    0.017149237915873528,
    0.03369084745645523,
];
/// (atan t - t) / t³ by t², for t up to 1/2, in single precision; error below 2^-25.
pub(super) const F32_ATAN: [f32; 6] = [
    -0.3333333432674408,
    0.19999875128269196,
    -0.14279800653457642,
    0.11006880551576614,
    -0.08235504478216171,
    0.04225683584809303,
];
/// The binary digits of 2/π behind the point, 64 in each word.
pub(super) const TWO_OVER_PI_DIGITS: [u64; 20] = [
    0xa2f9836e4e441529,
    0xfc2757d1f534ddc0,
    0xdb6295993c439041,
    0xfe5163abdebbc561,
    0xb7246e3a424dd2e0,
    0x06492eea09d1921c,
    0xfe1deb1cb129a73e,
    0xe88235f52ebb4484,
    0xe99c7026b45f7e41,
    0x3991d639835339f4,
    0x9c845f8bbdf9283b,
    0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f,
    0x6d367ecf27cb09b7,
    0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b,
    0x3d0739f78a5292ea,
    0x6bfb5fb11f8d5d08,
    0x56033046fc7b6bab,
    0xf0cfbc209af4361d,
];
