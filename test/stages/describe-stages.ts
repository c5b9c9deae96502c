import { describe, expect, it } from 'vitest';
import { fromWeb, sarcSplit, toWeb, yaz0Decompress, zstdDecompress } from '../../pipeline/stages/index.ts';
import { writeSarc } from '../../scripts/sample/sarc.ts';
import { encodeYaz0 } from '../../scripts/sample/yaz0.ts';
import { writeZstd } from '../../scripts/sample/zstd.ts';
import type { SarcPiece } from '../../ts/formats/sarc/index.ts';
import { FormatError } from '../../ts/io/errors.ts';
import { createKernels } from '../../ts/kernels/index.ts';
import { concat } from '../support/concat.ts';
import { randomBytes } from '../support/random.ts';

/** A Web stream of `bytes` in chunks of `size`, and how many chunks were asked for. */
function webSource(bytes: Uint8Array, size: number): { stream: ReadableStream<Uint8Array>; pulled(): number } {
  let at = 0;
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        controller.enqueue(bytes.slice(at, at + size));
        at += size;
        if (at >= bytes.length) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, pulled: () => at / size };
}

async function collect(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const reader = stream.getReader();
  const parts: Uint8Array[] = [];
  for (let next = await reader.read(); !next.done; next = await reader.read()) parts.push(new Uint8Array(next.value));
  return concat(...parts);
}

/** The stages over whichever stream library the platform has. */
export function describeStages(): void {
  const kernels = createKernels();
  const content = concat(randomBytes(300_000, 1), new Uint8Array(500_000), randomBytes(100_000, 2));

  describe('stages', () => {
    it.each([1000, 65_536])('zstd, in chunks of %d', async (size) => {
      const source = webSource(writeZstd(content, { checksum: true }), size);
      const output = await collect(toWeb(fromWeb(source.stream).pipe(zstdDecompress({ kernels }))));
      expect(output).toEqual(content);
    });

    it('Yaz0', async () => {
      const source = webSource(encodeYaz0(content), 65_536);
      expect(await collect(toWeb(fromWeb(source.stream).pipe(yaz0Decompress({ kernels }))))).toEqual(content);
    });

    it('a SARC inside zstd is split while it is decompressed', async () => {
      const files = [
        { name: 'a', data: randomBytes(70_000, 3) },
        { name: 'b/c', data: new Uint8Array(0) },
        { name: 'd', data: randomBytes(5, 4) },
      ];
      const source = webSource(writeZstd(writeSarc(files, { alignment: 16 })), 10_000);
      const pieces = toWeb<SarcPiece>(
        fromWeb(source.stream).pipe(zstdDecompress({ kernels })).pipe(sarcSplit()),
      ).getReader();
      const found = new Map<string, Uint8Array>();
      for (let next = await pieces.read(); !next.done; next = await pieces.read()) {
        const { entry, data } = next.value;
        found.set(entry.name!, concat(found.get(entry.name!) ?? new Uint8Array(0), data));
      }
      expect(found.size).toBe(3);
      for (const { name, data } of files) expect(found.get(name)).toEqual(data);
    });

    it('a reader that stops asking stops the source', async () => {
      const source = webSource(writeZstd(randomBytes(8_000_000, 5)), 65_536);
      const reader = toWeb(fromWeb(source.stream).pipe(zstdDecompress({ kernels }))).getReader();
      await reader.read();
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(source.pulled()).toBeLessThan(30);
      await reader.cancel();
    });

    it('a damaged stream fails with format, offset and path', async () => {
      const packed = writeZstd(content);
      const source = webSource(packed.subarray(0, packed.length - 10), 65_536);
      const stage = zstdDecompress({ kernels, path: 'A.pack.zs' });
      const failure = collect(toWeb(fromWeb(source.stream).pipe(stage)));
      await expect(failure).rejects.toBeInstanceOf(FormatError);
      await expect(failure).rejects.toMatchObject({ code: 'truncated', path: 'A.pack.zs', offset: packed.length - 10 });
    });

    it('a signal ends a stage', async () => {
      const controller = new AbortController();
      const source = webSource(writeZstd(randomBytes(2_000_000, 6)), 65_536);
      const stage = zstdDecompress({ kernels, signal: controller.signal });
      const failure = collect(toWeb(fromWeb(source.stream).pipe(stage)));
      controller.abort(new Error('enough'));
      await expect(failure).rejects.toThrow('enough');
    });
  });
}
