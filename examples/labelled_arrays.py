"""xarray and einops over arrays of strictarray, and the assertions of array-api-extra.

    python examples/labelled_arrays.py

The data is on `device1`, whose memory NumPy can't read: a library that fell back to NumPy would raise.
"""

import array_api_extra.testing
import einops.array_api
import xarray as xr

import strictarray as xp

DEVICE = xp.Device("device1")


def main():
    values = xp.reshape(xp.linspace(0.0, 23.0, 24, device=DEVICE), (4, 6))
    days = xr.DataArray(
        values, dims=("place", "month"), coords={"place": ["A", "B", "C", "D"], "month": [1, 3, 5, 7, 9, 11]}
    )

    # Arithmetic, indexing by label and reductions; skipna=False, since xarray looks for NaN by NumPy's data types.
    anomaly = days - days.mean("month", skipna=False)
    summer = anomaly.sel(month=slice(5, 9)).max("month", skipna=False)
    print(summer)
    assert summer.data.device == DEVICE

    # What xarray has by NumPy only goes by a function of the namespace.
    deviation = days.reduce(lambda x, axis: xp.std(x, axis=axis), "month")
    print("deviation by place:", [round(float(x), 3) for x in deviation.data])

    # The assertions check namespace, data type, shape and device before values.
    array_api_extra.testing.assert_close(summer.data.to_device(xp.CPU_DEVICE), xp.asarray([1.5] * 4), xp=xp)
    try:
        array_api_extra.testing.assert_equal(summer.data, xp.asarray([1.5] * 4))
    except AssertionError as error:
        print("array-api-extra:", " ".join(str(error).split()))

    # einops hands lists to functions that take tuples, and is told so; packing is by the standard.
    try:
        einops.array_api.rearrange(values, "place (half month) -> half place month", half=2)
    except TypeError as error:
        print("einops:", str(error).split(";")[0])
    packed, _ = einops.array_api.pack([values, xp.mean(values, axis=1)], "place *")
    print("einops packs the months and their mean:", packed.shape)


if __name__ == "__main__":
    main()
