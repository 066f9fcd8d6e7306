// Messages have times, so a room that imports Messages gets the functions for times as well.
@_exported public import Dates
