/** The zstd frame header (RFC 8878, section 3.1.1.1), for listing and for choosing a dictionary before decoding. */

/** What a frame says about itself. */
export interface ZstdFrameHeader {
  /** in bytes; undefined when the frame does not say */
  contentSize: number | undefined;
  windowSize: number;
  /** 0: the frame names none */
  dictionaryId: number;
  checksum: boolean;
}

export const ZSTD_MAGIC = '\x28\xb5\x2f\xfd';
/** Longest frame header, magic included. */
export const MAX_FRAME_HEADER_SIZE = 18;

/** Parses the header at the start of `head`; undefined when it is not one, is cut off, or a skippable frame comes first. */
export function readZstdFrameHeader(head: Uint8Array): ZstdFrameHeader | undefined {
  if (head.length < 6) return undefined;
  const view = new DataView(head.buffer, head.byteOffset, head.length);
  if (view.getUint32(0, true) !== 0xfd2fb528) return undefined;
  const descriptor = view.getUint8(4);
  const singleSegment = (descriptor & 0x20) !== 0;
  const idSize = [0, 1, 2, 4][descriptor & 3]!;
  const contentSizeSize = [singleSegment ? 1 : 0, 2, 4, 8][descriptor >>> 6]!;
  const idOffset = singleSegment ? 5 : 6;
  const contentSizeOffset = idOffset + idSize;
  if (head.length < contentSizeOffset + contentSizeSize) return undefined;
  const dictionaryId = readLittleEndian(view, idOffset, idSize);
  const stored = readLittleEndian(view, contentSizeOffset, contentSizeSize);
  const contentSize = contentSizeSize ? stored + (contentSizeSize === 2 ? 256 : 0) : undefined;
  let windowSize = contentSize ?? 0;
  if (!singleSegment) {
    const window = view.getUint8(5);
    const base = 2 ** (10 + (window >>> 3));
    windowSize = base + (base / 8) * (window & 7);
  }
  return { contentSize, windowSize, dictionaryId, checksum: (descriptor & 4) !== 0 };
}

function readLittleEndian(view: DataView, offset: number, size: number): number {
  switch (size) {
    case 1:
      return view.getUint8(offset);
    case 2:
      return view.getUint16(offset, true);
    case 4:
      return view.getUint32(offset, true);
    case 8:
      return Number(view.getBigUint64(offset, true));
    default:
      return 0;
  }
}
