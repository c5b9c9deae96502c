/**
 * Decodes the block at `s` of `src` to 4 x 4 RGBA8 texels, one number each (R in the low byte): four rows from `o` of
 * `out`, `stride` texels apart.
 */
export type BlockDecoder = (src: Uint8Array, s: number, out: Int32Array, o: number, stride: number) => void;

/** The same to RGBA16F: four numbers for each texel, `stride` of them from row to row. */
export type HalfBlockDecoder = (src: Uint8Array, s: number, out: Uint16Array, o: number, stride: number) => void;

/** Alpha 255. */
export const OPAQUE = 0xff000000 | 0;
