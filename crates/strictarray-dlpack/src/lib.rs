//! The DLPack 1.3 ABI: checked views of foreign tensors, owned tensors, the capsule life cycle.
