/** What `romflow bench` runs: the kernels and their twins, without anything that only a clone has. */
import type { ShortBench } from '../pipeline/cli/bench.ts';
import { choose, KERNEL_FAMILIES, measure } from './kernels/index.ts';
import { machine } from './kernels/machine.ts';
import { tableOf } from './kernels/table.ts';

export const runShortBench: ShortBench['runShortBench'] = async (only, print) => {
  const wanted = choose(KERNEL_FAMILIES, only);
  const rows = [];
  for await (const race of measure(KERNEL_FAMILIES, { wanted, seconds: 0.2, leastRuns: 3 })) {
    rows.push(...race);
    print(tableOf(race));
  }
  return { machine: machine(), rows };
};
