import { Command, CommanderError } from 'commander';
import { addBench } from './bench.ts';
import { addExtract } from './extract.ts';
import { addHash } from './hash.ts';
import { addLs } from './ls.ts';
import { addTextures } from './textures.ts';

declare const ROMFLOW_VERSION: string;

/** The whole command line. */
function createProgram(): Command {
  const program = new Command('romflow')
    .description('Reads and converts the resource files of Nintendo Switch games.')
    .version(ROMFLOW_VERSION)
    .enablePositionalOptions()
    .showHelpAfterError('(--help says more)')
    .exitOverride();
  addLs(program);
  addExtract(program);
  addTextures(program);
  addHash(program);
  addBench(program);
  return program;
}

try {
  await createProgram().parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  // commander has printed what is wrong; its own code for that is 1
  process.exitCode = error.exitCode === 0 ? 0 : 2;
}
