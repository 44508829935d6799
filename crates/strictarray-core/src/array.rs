//! The array: a data type, a layout and a block of memory on a device.

use strictarray_standard::{DType, rule};

use crate::iter::Order;
use crate::{
    Buffer, Complex, Device, Dims, Element, ElementBytes, Error, HostExport, Layout, MAX_NDIM, Result, Scalar, Strides,
    copy, dispatch,
};

/// Which namespace made an array: its repr and errors speak in that one's name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct NamespaceId(pub u8);

/// An n-dimensional array. Cloning shares the memory.
///
/// Its elements lie inside its buffer, aligned to the data type: every constructor checks it.
#[derive(Clone, Debug)]
pub struct Array {
    layout: Layout,
    buffer: Buffer,
    /// Axes whose size the program is not to know (bit i: axis i): for a mode that hides them.
    unknown: u64,
    dtype: DType,
    namespace: NamespaceId,
    read_only: bool,
}

/// What a kernel gets of an array: a pointer, a shape and byte strides, valid as long as the array (or scalar) it borrows.
#[derive(Clone, Debug)]
pub struct Operand<'a> {
    ptr: *mut u8,
    shape: &'a [usize],
    strides: OperandStrides<'a>,
    dtype: DType,
}

/// Most operands have their array's strides; those that are repeated over a larger shape have their own.
#[derive(Clone, Debug)]
enum OperandStrides<'a> {
    Borrowed(&'a [isize]),
    Own(Strides),
}

/// The strides of a scalar.
static ZEROS: [isize; MAX_NDIM] = [0; MAX_NDIM];

// SAFETY: an operand is a borrow of an array or of a scalar's bytes, which are both Sync; writes through it are the
// kernels', which are given each output once.
unsafe impl Send for Operand<'_> {}
// SAFETY: as above.
unsafe impl Sync for Operand<'_> {}

impl<'a> Operand<'a> {
    /// A scalar repeated over a shape, which must have at most [`MAX_NDIM`] axes.
    #[inline]
    pub fn repeated(bytes: &'a ElementBytes, dtype: DType, shape: &'a [usize]) -> Operand<'a> {
        let strides = match ZEROS.get(..shape.len()) {
            Some(zeros) => OperandStrides::Borrowed(zeros),
            None => OperandStrides::Own(Strides::from_elem(0, shape.len())),
        };
        Operand { ptr: bytes.0.as_ptr().cast_mut(), shape, strides, dtype }
    }

    /// Address of the first element.
    #[inline]
    pub fn ptr(&self) -> *mut u8 {
        self.ptr
    }

    /// Sizes of the axes.
    #[inline]
    pub fn shape(&self) -> &'a [usize] {
        self.shape
    }

    /// Strides of the axes in bytes.
    #[inline]
    pub fn strides(&self) -> &[isize] {
        match &self.strides {
            OperandStrides::Borrowed(strides) => strides,
            OperandStrides::Own(strides) => strides,
        }
    }

    /// The data type of the elements.
    #[inline]
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// Number of elements.
    #[inline]
    pub fn size(&self) -> usize {
        self.shape.iter().product()
    }

    /// Bytes of the elements, repeated ones counted once.
    pub fn bytes(&self) -> usize {
        let sizes = self.shape.iter().zip(self.strides()).filter(|(_, stride)| **stride != 0).map(|(&n, _)| n);
        if self.size() == 0 { 0 } else { sizes.fold(self.dtype.size(), usize::saturating_mul) }
    }

    /// Whether two different positions may be the same memory (stride 0 and the like).
    pub fn overlaps_itself(&self) -> bool {
        let mut axes: smallvec::SmallVec<[(usize, usize); 4]> = self
            .shape
            .iter()
            .zip(self.strides())
            .filter(|(n, _)| **n > 1)
            .map(|(&n, s)| (s.unsigned_abs(), n))
            .collect();
        axes.sort_unstable();
        let mut reach = self.dtype.size();
        self.size() > 0
            && axes.into_iter().any(|(stride, n)| {
                let clash = stride < reach;
                reach = reach.saturating_add(stride.saturating_mul(n - 1));
                clash
            })
    }

    /// The elements along some neighbouring axes, at the first position of all others (which must have one).
    pub fn along(&self, axes: std::ops::Range<usize>) -> Operand<'a> {
        let strides = match &self.strides {
            OperandStrides::Borrowed(strides) => OperandStrides::Borrowed(&strides[axes.clone()]),
            OperandStrides::Own(strides) => OperandStrides::Own(Strides::from_slice(&strides[axes.clone()])),
        };
        Operand { ptr: self.ptr, shape: &self.shape[axes], strides, dtype: self.dtype }
    }

    /// The elements at the first position of an axis (which must have one), repeated along it: as many as `shape` has
    /// there. `None` where the other sizes are not those of `shape`.
    pub fn first_repeated<'b>(&self, axis: usize, shape: &'b [usize]) -> Option<Operand<'b>>
    where
        'a: 'b,
    {
        let same = |i: usize| i == axis || self.shape[i] == shape[i];
        let fits = shape.len() == self.shape.len() && (0..shape.len()).all(same) && *self.shape.get(axis)? > 0;
        fits.then(|| {
            let mut strides = Strides::from_slice(self.strides());
            strides[axis] = 0;
            Operand { ptr: self.ptr, shape, strides: OperandStrides::Own(strides), dtype: self.dtype }
        })
    }

    /// The elements from a position of the first axis on, as many as `shape` has there. `None` where there are not so many,
    /// or the other sizes are not those of `shape`.
    pub fn part<'b>(&self, start: usize, shape: &'b [usize]) -> Option<Operand<'b>>
    where
        'a: 'b,
    {
        let ((&size, rest), (&n, others)) = (self.shape.split_first()?, shape.split_first()?);
        let fits = others == rest && start.checked_add(n)? <= size;
        let ptr = self.ptr.wrapping_offset(self.strides()[0].wrapping_mul(start as isize));
        fits.then(|| Operand { ptr, shape, strides: self.strides.clone(), dtype: self.dtype })
    }

    /// The sub-operand at a position of the first axis.
    pub fn at(&self, position: usize) -> Operand<'a> {
        debug_assert!(position < self.shape[0]);
        let strides = match &self.strides {
            OperandStrides::Borrowed(strides) => OperandStrides::Borrowed(&strides[1..]),
            OperandStrides::Own(strides) => OperandStrides::Own(Strides::from_slice(&strides[1..])),
        };
        let ptr = self.ptr.wrapping_offset(self.strides()[0] * position as isize);
        Operand { ptr, shape: &self.shape[1..], strides, dtype: self.dtype }
    }
}

impl Array {
    /// An array of elements of any value, if they are not bools: their bytes may be other than 0 and 1, so that a kernel has
    /// to write each of them.
    #[inline]
    pub fn uninit(shape: &[usize], dtype: DType, device: Device) -> Result<Array> {
        device.check(dtype)?;
        let (layout, bytes) = Layout::c_order_bytes(shape, dtype.size())?;
        let buffer = Buffer::uninit(bytes, device)?;
        Ok(Array { layout, buffer, unknown: 0, dtype, namespace: NamespaceId::default(), read_only: false })
    }

    /// An array of zeros.
    pub fn zeros(shape: &[usize], dtype: DType, device: Device) -> Result<Array> {
        device.check(dtype)?;
        let (layout, bytes) = Layout::c_order_bytes(shape, dtype.size())?;
        let buffer = Buffer::zeroed(bytes, device)?;
        Ok(Array { layout, buffer, unknown: 0, dtype, namespace: NamespaceId::default(), read_only: false })
    }

    /// An array filled with one value.
    pub fn full(shape: &[usize], value: ElementBytes, dtype: DType, device: Device) -> Result<Array> {
        if value.0[..dtype.size()].iter().all(|&b| b == 0) {
            return Array::zeros(shape, dtype, device);
        }
        let array = Array::uninit(shape, dtype, device)?;
        copy::copy_elements(&array.operand(), &Operand::repeated(&value, dtype, shape))?;
        Ok(array)
    }

    /// An array of these elements in C order.
    pub fn from_slice<T: Element>(values: &[T], shape: &[usize], device: Device) -> Result<Array> {
        let array = Array::uninit(shape, T::DTYPE, device)?;
        if array.size() != values.len() {
            let got = format!("{} values for shape {}", values.len(), crate::show_shape(shape));
            return Err(Error::new(&rule::VALUE, got));
        }
        // SAFETY: a fresh array in C order has exactly this many elements of T, ours alone.
        unsafe { std::ptr::copy_nonoverlapping(values.as_ptr(), array.ptr().cast::<T>(), values.len()) };
        Ok(array)
    }

    /// An array on a block. Refused where an element would lie outside the block or be misaligned.
    pub fn from_parts(buffer: Buffer, layout: Layout, dtype: DType, read_only: bool) -> Result<Array> {
        crate::check_ndim(layout.ndim())?;
        buffer.device().check(dtype)?;
        let array = Array { layout, buffer, unknown: 0, dtype, namespace: NamespaceId::default(), read_only };
        array.check_layout()?;
        Ok(array)
    }

    /// Another view of the same memory, with the same properties.
    pub fn with_layout(&self, layout: Layout) -> Result<Array> {
        let array = Array { layout, buffer: self.buffer.clone(), ..*self };
        array.check_layout()?;
        Ok(array)
    }

    /// The bytes of a contiguous array as elements of another shape and data type, in the same memory. `None` where these
    /// have not as many bytes, or would be misaligned.
    pub fn reinterpreted(&self, shape: &[usize], dtype: DType) -> Result<Option<Array>> {
        self.device().check(dtype)?;
        let (mut layout, bytes) = Layout::c_order_bytes(shape, dtype.size())?;
        let aligned = self.ptr().addr().is_multiple_of(dtype.align());
        if !self.is_c_contiguous() || bytes != self.size() * self.dtype.size() || !aligned {
            return Ok(None);
        }
        layout.shift_to(self.layout.offset());
        Array::from_parts(self.buffer.clone(), layout, dtype, self.read_only).map(Some)
    }

    fn check_layout(&self) -> Result<()> {
        let item = self.dtype.size();
        let inside = self.layout.extent(item).is_some_and(|(_, high)| high <= self.buffer.len());
        let start = self.buffer.data().as_ptr().addr().wrapping_add(self.layout.offset());
        let align = self.dtype.align();
        let aligned = self.layout.size() == 0
            || start.is_multiple_of(align)
                && self.layout.strides().iter().all(|s| s.unsigned_abs().is_multiple_of(align));
        if inside && aligned {
            Ok(())
        } else {
            Err(Error::new(&rule::INTERNAL, "a layout that leaves its memory or is misaligned"))
        }
    }

    /// The data type.
    #[inline]
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// The device.
    #[inline]
    pub fn device(&self) -> Device {
        self.buffer.device()
    }

    /// Sizes of the axes.
    #[inline]
    pub fn shape(&self) -> &[usize] {
        self.layout.shape()
    }

    /// Number of axes.
    #[inline]
    pub fn ndim(&self) -> usize {
        self.layout.ndim()
    }

    /// Number of elements.
    #[inline]
    pub fn size(&self) -> usize {
        self.layout.size()
    }

    /// The layout.
    #[inline]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The block.
    #[inline]
    pub fn buffer(&self) -> &Buffer {
        &self.buffer
    }

    /// Whether writes are refused.
    #[inline]
    pub fn read_only(&self) -> bool {
        self.read_only
    }

    /// Refuses writes from now on through this array and its views.
    #[must_use]
    pub fn set_read_only(mut self, read_only: bool) -> Array {
        self.read_only = read_only;
        self
    }

    /// The namespace that made it.
    #[inline]
    pub fn namespace(&self) -> NamespaceId {
        self.namespace
    }

    /// Says which namespace made it.
    #[inline]
    #[must_use]
    pub fn in_namespace(mut self, namespace: NamespaceId) -> Array {
        self.namespace = namespace;
        self
    }

    /// Axes whose size the program is not to know, a bit each.
    pub fn unknown(&self) -> u64 {
        self.unknown
    }

    /// Sets the axes whose size the program is not to know.
    #[must_use]
    pub fn with_unknown(mut self, unknown: u64) -> Array {
        self.unknown = unknown;
        self
    }

    /// Address of the first element.
    #[inline]
    pub fn ptr(&self) -> *mut u8 {
        self.buffer.data().as_ptr().wrapping_add(self.layout.offset())
    }

    /// Whether the elements stand side by side in C order.
    #[inline]
    pub fn is_c_contiguous(&self) -> bool {
        self.layout.is_c_contiguous(self.dtype.size())
    }

    /// What a kernel gets of it.
    #[inline]
    pub fn operand(&self) -> Operand<'_> {
        let strides = OperandStrides::Borrowed(self.layout.strides());
        Operand { ptr: self.ptr(), shape: self.layout.shape(), strides, dtype: self.dtype }
    }

    /// What a kernel gets of it, its elements repeated over a shape.
    #[inline]
    pub fn operand_over<'a>(&'a self, shape: &'a [usize]) -> Result<Operand<'a>> {
        if *self.layout.shape() == *shape {
            return Ok(self.operand());
        }
        match self.layout.broadcast_strides(shape) {
            Some(strides) => {
                Ok(Operand { ptr: self.ptr(), shape, strides: OperandStrides::Own(strides), dtype: self.dtype })
            }
            None => {
                Err(self.layout.broadcast_to(shape).map_or_else(|e| e, |_| Error::new(&rule::INTERNAL, "broadcast")))
            }
        }
    }

    /// A copy in C order, in memory of its own on the same device.
    pub fn to_owned_copy(&self) -> Result<Array> {
        self.copied_to(self.device())
    }

    /// This array if its elements stand in C order, else a copy.
    pub fn to_c_contiguous(&self) -> Result<Array> {
        if self.is_c_contiguous() { Ok(self.clone()) } else { self.to_owned_copy() }
    }

    fn copied_to(&self, device: Device) -> Result<Array> {
        let result = Array::uninit(self.shape(), self.dtype, device)?;
        copy::copy_elements(&result.operand(), &self.operand())?;
        Ok(Array { unknown: self.unknown, namespace: self.namespace, ..result })
    }

    /// The one way from device to device: always a copy, so that no two devices ever share memory. On the same device the
    /// array itself, or a copy with `copy` true.
    ///
    /// `copy` false refuses what would be a copy.
    pub fn transfer(&self, device: Device, copy: Option<bool>) -> Result<Array> {
        if device == self.device() {
            return if copy == Some(true) { self.to_owned_copy() } else { Ok(self.clone()) };
        }
        device.check(self.dtype)?;
        if copy == Some(false) {
            let got = format!("an array on device {} for device {device}", self.device());
            return Err(Error::new(&rule::COPY_NEEDED, got).argument("copy"));
        }
        self.copied_to(device)
    }

    /// Refuses to show the memory to the host where the device's policy says so: the one gate that every export of shared
    /// memory passes (DLPack, buffers, `__array__`).
    pub fn host_shared(&self, refusal: &'static strictarray_standard::Rule) -> Result<()> {
        match self.device().spec().host_export {
            HostExport::Shared => Ok(()),
            HostExport::Refused | HostExport::OnRequest => {
                Err(Error::new(refusal, format!("got an array on device {}", self.device())))
            }
        }
    }

    /// The value of an array of one element, read by the host: the one gate of `bool(x)`, `float(x)` and the like.
    pub fn item(&self) -> Result<Scalar> {
        if self.size() != 1 {
            let got = format!("an array of shape {}", crate::show_shape(self.shape()));
            return Err(Error::new(&rule::SCALAR_CONVERSION, got));
        }
        let ptr = self.ptr();
        // SAFETY: the array has one element, inside its block and aligned; every bit pattern is valid.
        dispatch!(ALL, self.dtype, T => unsafe { ptr.cast::<T>().read() }.to_scalar())
            .ok_or_else(|| Error::new(&rule::INTERNAL, "dtype"))
    }

    /// The elements in C order as Python scalars: for printing and tests.
    pub fn to_scalars(&self) -> Result<Vec<Scalar>> {
        let mut values = Vec::new();
        let memory = |_| Error::new(&rule::MEMORY, format!("got {} elements", self.size()));
        values.try_reserve_exact(self.size()).map_err(memory)?;
        crate::iter::for_each_run([&self.operand()], Order::C, |[ptr], [stride], n| {
            for i in 0..n as isize {
                let ptr = ptr.wrapping_offset(i * stride);
                // SAFETY: the walk stays on the array's elements; every bit pattern is valid.
                values.extend(dispatch!(ALL, self.dtype, T => unsafe { ptr.cast::<T>().read() }.to_scalar()));
            }
            Ok(())
        })?;
        Ok(values)
    }

    /// Refuses a write where the memory forbids it.
    #[inline]
    pub fn check_writable(&self) -> Result<()> {
        if self.read_only { Err(Error::new(&rule::READ_ONLY, "got a write")) } else { Ok(()) }
    }

    /// Whether a write to this array could change an element of the other: same memory, and neither the same elements
    /// nor apart.
    ///
    /// Elements of the other at the very positions of this one's are harmless to a kernel that reads each before writing it.
    pub fn write_disturbs(&self, other: &Array) -> bool {
        if self.layout == other.layout && self.dtype == other.dtype && self.ptr() == other.ptr() {
            return self.overlaps_itself();
        }
        self.shares_memory(other)
    }

    /// Whether two different positions may be the same memory (stride 0 and the like).
    pub fn overlaps_itself(&self) -> bool {
        self.operand().overlaps_itself()
    }

    /// Whether the byte ranges of the two meet: never wrong when it says no.
    pub fn shares_memory(&self, other: &Array) -> bool {
        let range = |a: &Array| {
            let start = a.buffer.data().as_ptr().addr();
            a.layout.extent(a.dtype.size()).map(|(low, high)| (start.wrapping_add(low), start.wrapping_add(high)))
        };
        match (range(self), range(other)) {
            (Some(a), Some(b)) => a.0 < b.1 && b.0 < a.1,
            _ => true,
        }
    }

    /// One part of a complex array as a view (`imag` false: the real part).
    pub fn complex_part(&self, imag: bool) -> Option<Array> {
        if !self.dtype.is_complex() {
            return None;
        }
        let part = self.dtype.to_real();
        let skip = if imag { part.size() } else { 0 };
        let layout = Layout::new(
            Dims::from_slice(self.shape()),
            Strides::from_slice(self.layout.strides()),
            self.layout.offset() + skip,
        );
        let array = Array { layout, buffer: self.buffer.clone(), dtype: part, ..*self };
        array.check_layout().ok().map(|()| array)
    }
}

/// The value of a complex scalar, whatever its kind.
impl From<Scalar> for Complex<f64> {
    fn from(scalar: Scalar) -> Complex<f64> {
        match scalar {
            Scalar::Bool(b) => Complex::new(f64::from(u8::from(b)), 0.0),
            Scalar::Int(i) => Complex::new(i as f64, 0.0),
            Scalar::Float(x) => Complex::new(x, 0.0),
            Scalar::Complex(z) => z,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smallvec::smallvec;

    fn device(name: &str) -> Device {
        Device::from_name(name).unwrap()
    }

    #[test]
    fn no_two_devices_share_memory_and_one_device_does() {
        for from in Device::all() {
            let x = Array::from_slice(&[1.0f32, 2.0, 3.0], &[3], from).unwrap();
            for to in Device::all() {
                let y = x.transfer(to, None).unwrap();
                assert_eq!(y.device(), to);
                assert_eq!(y.shares_memory(&x), from == to, "{from} to {to}");
                assert_eq!(y.to_scalars().unwrap(), x.to_scalars().unwrap());
                assert!(!x.transfer(to, Some(true)).unwrap().shares_memory(&x));
                assert_eq!(x.transfer(to, Some(false)).is_ok(), from == to);
            }
        }
        let wide = Array::from_slice(&[1i64], &[1], Device::CPU).unwrap();
        assert_eq!(wide.transfer(device("no_x64"), None).unwrap_err().rule().id, "device-dtype");
    }

    #[test]
    fn only_shared_memory_is_shown_to_the_host() {
        for d in Device::all() {
            let x = Array::zeros(&[2], DType::Float32, d).unwrap();
            assert_eq!(x.host_shared(&rule::HOST_READ).is_ok(), d == Device::CPU);
        }
    }

    #[test]
    fn layouts_outside_the_block_or_misaligned_are_refused() {
        let x = Array::from_slice(&[1i32, 2, 3, 4], &[4], Device::CPU).unwrap();
        for (shape, strides, offset) in [
            (smallvec![5], smallvec![4], 0),
            (smallvec![4], smallvec![-4], 0),
            (smallvec![4], smallvec![4], 4),
            (smallvec![2], smallvec![2], 0),
            (smallvec![1], smallvec![4], 2),
            (smallvec![2], smallvec![isize::MAX], 0),
        ] {
            assert!(x.with_layout(Layout::new(shape, strides, offset)).is_err());
        }
        let back = x.with_layout(Layout::new(smallvec![4], smallvec![-4], 12)).unwrap();
        assert_eq!(back.to_scalars().unwrap(), [4, 3, 2, 1].map(Scalar::Int));
    }

    #[test]
    fn views_that_a_write_would_disturb_are_seen() {
        let x = Array::from_slice(&[1i32, 2, 3, 4], &[4], Device::CPU).unwrap();
        let head = x.with_layout(Layout::new(smallvec![3], smallvec![4], 0)).unwrap();
        let tail = x.with_layout(Layout::new(smallvec![3], smallvec![4], 4)).unwrap();
        let first = x.with_layout(Layout::new(smallvec![1], smallvec![4], 0)).unwrap();
        let last = x.with_layout(Layout::new(smallvec![1], smallvec![4], 12)).unwrap();
        assert!(tail.write_disturbs(&head) && head.write_disturbs(&tail));
        assert!(!head.write_disturbs(&head.clone()));
        assert!(!first.write_disturbs(&last));
        let spread = x.with_layout(Layout::new(smallvec![3, 4], smallvec![0, 4], 0)).unwrap();
        assert!(spread.overlaps_itself() && spread.write_disturbs(&spread.clone()));
        let windows = x.with_layout(Layout::new(smallvec![2, 3], smallvec![4, 4], 0)).unwrap();
        assert!(windows.overlaps_itself() && !x.overlaps_itself());
    }

    #[test]
    fn properties_follow_views() {
        let x = Array::zeros(&[2, 2], DType::Complex64, Device::CPU).unwrap();
        let x = x.set_read_only(true).in_namespace(NamespaceId(3)).with_unknown(2);
        let t = x.with_layout(x.layout().reversed()).unwrap();
        assert!(t.read_only() && t.check_writable().is_err());
        assert_eq!((t.namespace(), t.unknown()), (NamespaceId(3), 2));
        let imag = x.complex_part(true).unwrap();
        assert_eq!((imag.dtype(), imag.layout().offset()), (DType::Float32, 4));
        assert!(imag.read_only() && imag.shares_memory(&x));
        assert!(imag.complex_part(true).is_none());
        assert_eq!(x.buffer().arrays(), 3);
    }

    #[test]
    fn items_of_every_dtype() {
        for dtype in DType::ALL {
            let one = Scalar::Bool(true).to_element(dtype).unwrap();
            let x = Array::full(&[1, 1], one, dtype, Device::CPU).unwrap();
            assert_eq!(Complex::from(x.item().unwrap()), Complex::new(1.0, 0.0), "{dtype}");
        }
        let two = Array::zeros(&[2], DType::Bool, Device::CPU).unwrap();
        assert_eq!(two.item().unwrap_err().rule().id, "scalar-conversion");
    }
}
