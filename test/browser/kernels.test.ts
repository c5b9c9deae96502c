import { expect, it } from 'vitest';
import { describeConformance } from '../kernels/describe-conformance.ts';

it('runs in a browser', () => expect(navigator.userAgent).toContain('Chrom'));

await describeConformance();
