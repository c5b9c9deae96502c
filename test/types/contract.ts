// Checked by tsc alone: `ts/kernels/contract.ts` says the same as what jco makes of `asm/wit/kernels.wit`, function by
// function, in both directions. A type that differs, or a name that only one side has, is an error below.
import type * as Types from '../../ts/component/generated/interfaces/romflow-kernels-types.js';
import type { KernelsComponent } from '../../ts/component/index.ts';
import type {
  HashAlgorithm,
  Kernels,
  StreamErrorCode,
  StreamErrorPayload,
  TexelFormat,
  Tiling,
} from '../../ts/kernels/contract.ts';

/** Whether two types are identical: assignability alone would let `any` and a wider parameter of a method pass. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

type Interfaces = Exclude<keyof KernelsComponent, `romflow:${string}`>;

type Fn = (...args: never) => unknown;

/** Whether a kernel of the contract is the function of the WIT, give or take a last `out?: Uint8Array`. */
type SameFunction<Contract, Wit> = Contract extends Fn
  ? Wit extends Fn
    ? Same<ReturnType<Contract>, ReturnType<Wit>> extends true
      ? true extends
          | Same<Parameters<Contract>, Parameters<Wit>>
          | Same<Parameters<Contract>, [...Parameters<Wit>, out?: Uint8Array]>
        ? true
        : false
      : false
    : false
  : false;

/** The same functions under the same names. */
type SameInterface<Contract, Wit> =
  Same<keyof Contract, keyof Wit> extends true
    ? { [F in keyof Contract & keyof Wit]: SameFunction<Contract[F], Wit[F]> }[keyof Contract & keyof Wit]
    : false;

/** The error, if there is one, is on the line of what differs. */
type Check<T extends true> = T;

export type Checks = [
  Check<Same<Interfaces, Exclude<keyof Kernels, 'backend' | 'alloc' | 'memorySize'>>>,
  Check<SameInterface<Kernels['hash'], KernelsComponent['hash']>>,
  Check<SameInterface<Kernels['tegra'], KernelsComponent['tegra']>>,
  Check<SameInterface<Kernels['bc'], KernelsComponent['bc']>>,
  Check<SameInterface<Kernels['astc'], KernelsComponent['astc']>>,
  Check<SameInterface<Kernels['pixel'], KernelsComponent['pixel']>>,
  Check<SameInterface<Kernels['png'], KernelsComponent['png']>>,
  Check<SameInterface<Kernels['zstd'], KernelsComponent['zstd']>>,
  Check<SameInterface<Kernels['yaz0'], KernelsComponent['yaz0']>>,
  Check<Same<HashAlgorithm, Types.HashAlgorithm>>,
  Check<Same<TexelFormat, Types.TexelFormat>>,
  Check<Same<Tiling, Types.Tiling>>,
  Check<Same<StreamErrorCode, Types.StreamErrorCode>>,
  Check<Same<StreamErrorPayload, Types.StreamError>>,
];
