export { ExrWriter } from './writer.ts';
