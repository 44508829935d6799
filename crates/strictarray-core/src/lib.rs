//! Strided n-dimensional arrays on emulated devices: dtypes, layouts, buffers, indexing, iteration.
