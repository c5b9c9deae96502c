import { readFileSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { isAddOnFolder } from '../../ts/games/index.ts';
import { RomflowError } from '../../ts/io/errors.ts';
import { Dump, type DumpOptions } from '../dump/dump.ts';
import type { Layer, LayerFile, WritableLayer } from '../dump/layer.ts';
import { Overlay } from '../dump/overlay.ts';
import type { IndexStore } from '../dump/pack-index.ts';
import { writeFile } from '../output/folder.ts';
import { OWN_FOLDER } from '../output/names.ts';
import { fileError, openFile } from './file-source.ts';
import { NodeFolder, type NodeFolderOptions } from './folder.ts';
import { walkFolder } from './inputs.ts';
import { isFolder, isInside, realPath } from './romfs.ts';

/** A folder of a dump; whether it is add-on content is told by its path if not here. */
export type LayerFolder = string | { folder: string; addOn: boolean };

export interface OpenDumpOptions extends Omit<DumpOptions, 'layers' | 'store'> {
  /** the folder of the game, then those of its updates and add-on content: later ones hide earlier ones */
  layers: readonly LayerFolder[];
  /** folder in which the index of packs is kept, such as that of the output; never one of the dump */
  cache?: string;
}

/** Opens a dump that lies in folders; nothing is ever written there. Throws a RomflowError. */
export async function openDump({ layers, cache, ...options }: OpenDumpOptions): Promise<Dump> {
  const folders = layers.map((layer) => new FolderLayer(layer));
  for (const { folder } of folders) {
    if (!isFolder(folder)) throw new RomflowError('input', 'is no folder', { path: folder });
    if (cache !== undefined) checkOutside(cache, folder);
  }
  return Dump.open({ ...options, layers: folders, ...(cache !== undefined && { store: indexIn(cache) }) });
}

/** Opens a mod in a folder, which need not be there yet, on top of a dump; to be closed. Throws a RomflowError. */
export async function openOverlay(dump: Dump, folder: string, options: NodeFolderOptions = {}): Promise<Overlay> {
  return Overlay.open(dump, new ModFolder(folder, dump.layers, options));
}

function checkOutside(path: string, folder: string): void {
  if (isInside(path, folder)) throw new RomflowError('usage', `must not lie in the game's folder ${folder}`, { path });
}

class FolderLayer implements Layer {
  readonly folder: string;
  readonly id: string;
  readonly addOn: boolean;

  constructor(layer: LayerFolder) {
    const given = typeof layer === 'string' ? layer : layer.folder;
    const folder = (sep === '/' ? given : given.replaceAll(sep, '/')).replace(/(?<=.)\/+$/, '');
    this.folder = folder;
    this.id = realPath(folder);
    this.addOn = typeof layer === 'string' ? isAddOnFolder(folder) : layer.addOn;
  }

  *files(onWarning: (message: string) => void): Generator<LayerFile, void, void> {
    const own = `${this.folder}/${OWN_FOLDER}`;
    for (const { path, relative, stats, error } of walkFolder(this.folder, (at) => at === own)) {
      if (error) onWarning(error.message);
      else yield this.#file(path, relative, stats);
    }
  }

  file(relative: string): LayerFile {
    const path = `${this.folder}/${relative}`;
    return this.#file(
      path,
      relative,
      fileError(path, () => statSync(path)),
    );
  }

  #file(path: string, relative: string, stats: { size: number; mtimeMs: number } | undefined): LayerFile {
    const { size = 0, mtimeMs = 0 } = stats ?? {};
    return { path: relative, size, modified: Math.floor(mtimeMs), open: () => openFile(path) };
  }
}

class ModFolder extends FolderLayer implements WritableLayer {
  readonly #dump: readonly Layer[];
  readonly #options: NodeFolderOptions;
  /** made with the first file */
  #output: NodeFolder | undefined;

  constructor(folder: string, dump: readonly Layer[], options: NodeFolderOptions) {
    super({ folder, addOn: false });
    this.#dump = dump;
    this.#options = options;
    for (const { id } of dump) checkOutside(folder, id);
  }

  override *files(onWarning: (message: string) => void): Generator<LayerFile, void, void> {
    if (isFolder(this.folder)) yield* super.files(onWarning);
  }

  write(path: string, bytes: Uint8Array): void {
    const target = join(this.folder, path);
    // Again for each file: a dump may lie in the folder of the mod.
    for (const { id } of this.#dump) checkOutside(target, id);
    this.#output ??= new NodeFolder(this.folder, this.#options);
    writeFile(this.#output, path, bytes);
  }

  close(): void {
    this.#output?.close();
  }
}

function indexIn(folder: string): IndexStore {
  const path = `${OWN_FOLDER}/packs.json`;
  return {
    load() {
      try {
        return readFileSync(join(folder, path), 'utf8');
      } catch {
        return undefined;
      }
    },
    save(text) {
      const output = new NodeFolder(folder, { overwrite: true });
      try {
        writeFile(output, path, new TextEncoder().encode(text));
      } finally {
        output.close();
      }
    },
  };
}
