import { FORMAT_TARGETS } from './format-targets.ts';
import { KERNEL_TARGETS } from './kernel-targets.ts';
import type { Target } from './target.ts';
import { WALK_TARGETS } from './walk-targets.ts';

/** Everything that takes hostile input. */
export const TARGETS: readonly Target[] = [...KERNEL_TARGETS, ...FORMAT_TARGETS, ...WALK_TARGETS];
