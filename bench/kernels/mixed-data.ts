import { FORMATS } from '../../scripts/sample/formats.ts';
import { brickAlbedo } from '../../scripts/sample/scenes.ts';
import { random } from '../../test/support/random.ts';

const WORDS = 'actor model texture shader param physics stage camera light sound event flag node root path name'.split(
  ' ',
);

let textureBlocks: Uint8Array | undefined;

/** Code-made bytes like those of archives: names, tables of small numbers and floats, and blocks of textures. */
export function mixedData(size: number, seed = 1): Uint8Array {
  const next = random(seed);
  const out = new Uint8Array(size);
  const blocks = (textureBlocks ??= FORMATS.BC1_UNORM.encode(brickAlbedo(256, 256)));
  let at = 0;
  const put = (bytes: Uint8Array): void => {
    const part = bytes.subarray(0, size - at);
    out.set(part, at);
    at += part.length;
  };
  while (at < size) {
    switch (next() % 4) {
      case 0: {
        const names = Array.from(
          { length: 40 },
          () => `${WORDS[next() % WORDS.length]}_${WORDS[next() % WORDS.length]}${next() % 100}`,
        );
        put(new TextEncoder().encode(`${names.join('\0')}\0`));
        break;
      }
      case 1:
        put(new Uint8Array(Uint32Array.from({ length: 300 }, (_, i) => 16 * i + (next() % 8)).buffer));
        break;
      case 2:
        put(new Uint8Array(Float32Array.from({ length: 200 }, () => (next() % 2000) / 8 - 100).buffer));
        break;
      default:
        put(blocks.subarray((next() % 64) * 256, (next() % 64) * 256 + 4096));
    }
  }
  return out;
}
