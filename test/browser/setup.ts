// Vectors may spell bytes with Buffer; what they test must not need it.
import { Buffer } from 'buffer';

Object.assign(globalThis, { Buffer });
