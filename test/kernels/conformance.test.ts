import { describeConformance } from './describe-conformance.ts';

await describeConformance();
