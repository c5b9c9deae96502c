export { FormatError, RomflowError, type ErrorCode, type FormatErrorDetails } from './errors.ts';
export { Slice, type SliceOptions } from './slice.ts';
export { BufferSource, SubSource, type Source } from './source.ts';
