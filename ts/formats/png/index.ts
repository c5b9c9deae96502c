export { PngWriter, kernelDeflater, type Deflater, type PngOptions } from './writer.ts';
