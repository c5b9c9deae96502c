import type { Row } from './measure.ts';

/** The rows of one race in lines of up to 80 characters: what it is, then each contestant, as often as the first. */
export function tableOf(rows: readonly Row[]): string {
  const { kernel, output, input, value: first } = rows[0]!;
  const lines = rows.map(({ contestant, value, unit }) => {
    const ratio = (value / first).toFixed(2).padStart(8);
    return `  ${contestant.padEnd(32)} ${String(value).padStart(10)} ${unit.padEnd(6)} ${ratio}`;
  });
  const notes = rows.flatMap(({ contestant, note }) => (note ? [`  ${contestant}: ${note}`] : []));
  return [`${kernel} to ${output}`, `  ${input}`, ...lines, ...notes].join('\n');
}
