import type { Row } from './kernels/measure.ts';

/** How many times as fast as another contestant of the same race the wasm is wanted to be. */
interface Target {
  kernel: string;
  times: number;
  over: string;
}

const UNITY_TOOLS = '@arkntools/unity-js-tools-wasm';

const TARGETS: readonly Target[] = [
  { kernel: 'bc1', times: 4, over: UNITY_TOOLS },
  // Which has no BC2.
  { kernel: 'bc2', times: 4, over: 'decode-dxt' },
  { kernel: 'bc3', times: 3.5, over: UNITY_TOOLS },
  { kernel: 'bc4', times: 4, over: UNITY_TOOLS },
  { kernel: 'bc5', times: 4, over: UNITY_TOOLS },
  { kernel: 'bc6h', times: 4, over: UNITY_TOOLS },
  { kernel: 'bc7', times: 4, over: UNITY_TOOLS },
  { kernel: 'bc7-fused', times: 1.1, over: 'wasm, two passes' },
  { kernel: 'astc4x4', times: 2, over: UNITY_TOOLS },
  { kernel: 'astc6x6', times: 2, over: UNITY_TOOLS },
  { kernel: 'astc8x8', times: 2, over: UNITY_TOOLS },
  { kernel: 'zstd', times: 0.8, over: '@bokuweb/zstd-wasm' },
  { kernel: 'zstd', times: 3, over: 'fzstd' },
  { kernel: 'zstd-dict', times: 1, over: '@bokuweb/zstd-wasm' },
];

/** A table of what is wanted of the kernels in `rows` and what they reach, by the canonical inputs; else nothing. */
export function targetTable(rows: readonly Row[]): string {
  const lines = TARGETS.filter(({ kernel }) => rows.some((row) => row.kernel === kernel)).map(
    ({ kernel, times, over }) => {
      const value = (contestant: string): number | undefined =>
        rows.find((row) => row.kernel === kernel && row.contestant === contestant)?.value;
      const [own, other] = [value('wasm'), value(over)];
      const measured = own !== undefined && other !== undefined ? own / other : undefined;
      const verdict = measured === undefined ? 'not measured' : measured >= times ? 'met' : 'not met';
      return line(kernel, over, times.toFixed(1), measured?.toFixed(2) ?? '', verdict);
    },
  );
  return lines.length ? [line('kernel', 'times as fast as', 'wanted', 'measured', ''), ...lines].join('\n') : '';
}

function line(kernel: string, over: string, wanted: string, measured: string, verdict: string): string {
  return `${kernel.padEnd(11)} ${over.padEnd(32)} ${wanted.padStart(6)} ${measured.padStart(9)}  ${verdict}`.trimEnd();
}
