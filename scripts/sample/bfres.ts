import { dicSize, FileImage, relocationTableSize, StringPool, writeDic, writeRelocationTable } from './nn.ts';
import type { RelocationEntry, RelocationSection } from './nn.ts';
import { alignUp } from './swizzle.ts';

export interface BfresFile {
  name: string;
  version: readonly [major: 5 | 8 | 9 | 10, minor: number, micro: number];
  /** embedded files; textures are in `textures.bntx` */
  files: readonly { name: string; data: Uint8Array }[];
}

/** Where the fields of the header lie; four pointers came in with version 9. */
const OLD = { memoryPoolInfo: 0xd0, runtimePool: 0x88, files: 0x98, strings: 0xb0, fileCount: 0xc8 };
const NEW = { memoryPoolInfo: 0xf0, runtimePool: 0xa8, files: 0xb8, strings: 0xd0, fileCount: 0xec };

const FILE_ALIGNMENT = 0x1000;

const entry = (position: number, pointers: number, groups = 1, gap = 0): RelocationEntry => ({
  position,
  groups,
  pointers,
  gap,
});

/** A FRES without models: what a game makes of a file that only carries textures. */
export function writeBfres({ name, version, files }: BfresFile): Uint8Array {
  const fields = version[0] >= 9 ? NEW : OLD;
  const fileArray = fields.memoryPoolInfo + 0x20;
  const fileDic = fileArray + 0x10 * files.length;
  const str = fileDic + dicSize(files.length);
  const names = files.map((file) => file.name);
  const pool = new StringPool(str, [...names, name]);

  const firstFile = alignUp(pool.end, FILE_ALIGNMENT);
  let end = firstFile;
  const places = files.map(({ data }) => {
    const at = end;
    end = alignUp(at + data.length, FILE_ALIGNMENT);
    return at;
  });
  const rlt = end;
  // Real tables list the header's pointers whether they are null or not. The three sections in the middle are the GPU
  // region and the runtime memory pool, which only files with models have.
  const nothing: RelocationSection = { position: pool.end, size: 0, entries: [] };
  const sections: RelocationSection[] = [
    {
      position: 0,
      size: pool.end,
      entries: [
        entry(0x20, (fields.runtimePool - 0x20) / 8),
        entry(fields.files, 2),
        entry(fields.strings, 1),
        entry(fileDic + 0x10, 1, files.length + 1, 1),
      ],
    },
    nothing,
    nothing,
    nothing,
    {
      position: firstFile,
      size: rlt - firstFile,
      entries: [entry(fileArray, 1, files.length, files.length > 1 ? 1 : 0)],
    },
  ];

  const image = new FileImage(rlt + relocationTableSize(sections));
  image.header({
    magic: 'FRES    ',
    version,
    addressSize: 0,
    nameOffset: pool.offset(name) + 2,
    firstBlock: str,
    relocationTable: rlt,
    fileSize: image.bytes.length,
  });
  image.pointer(0x20, pool.offset(name));
  image.pointer(fields.files, fileArray);
  image.pointer(fields.files + 0x8, fileDic);
  image.pointer(fields.strings, pool.offset(''));
  image.u32(fields.strings + 0x8, pool.end - str);
  image.u16(fields.fileCount, files.length);
  image.u32(fields.memoryPoolInfo, version[0] >= 9 ? 0x24 : 0x22);
  files.forEach(({ data }, i) => {
    image.pointer(fileArray + 0x10 * i, places[i]!);
    image.u32(fileArray + 0x10 * i + 0x8, data.length);
    image.set(places[i]!, data);
  });
  writeDic(image, fileDic, '', names, pool);
  pool.write(image, pool.count);
  image.u32(str + 0x8, rlt - str);
  writeRelocationTable(image, rlt, sections);
  return image.bytes;
}
