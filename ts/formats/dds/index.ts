export { DXGI_FORMATS } from './dxgi.ts';
export { DDS_HEADER_SIZE, ddsHeader, type DdsTexture } from './writer.ts';
