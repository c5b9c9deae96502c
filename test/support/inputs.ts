import type { JobInput } from '../../pipeline/jobs/job.ts';
import { SourceContent } from '../../pipeline/walk/content.ts';
import { BufferSource } from '../../ts/io/source.ts';

/** Bytes as an input of a job. */
export function bytesInput(path: string, bytes: Uint8Array): JobInput {
  return { path, output: path, size: bytes.length, open: () => new SourceContent(new BufferSource(path, bytes)) };
}
