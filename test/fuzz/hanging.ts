/** A target that hangs on its third mutation; `folder` is where the input is to be found then. */
import { fuzz } from '../../fuzz/engine.ts';

const [folder] = process.argv.slice(2);
let inputs = 0;
await fuzz(
  {
    name: 'hanging',
    fixtures: () => [{ name: 'one', bytes: Uint8Array.of(1, 2, 3), fields: [] }],
    open: () => () => {
      inputs++;
      while (inputs === 4);
      return 'ok';
    },
  },
  { seed: 7, count: 10, patience: 1, folder: folder! },
);
