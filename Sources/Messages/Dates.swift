// The nouns of this room have times: a room that imports Messages has what is said of them, too.
@_exported public import Dates
