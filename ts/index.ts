export * from './formats/index.ts';
export * from './io/index.ts';
export * from './kernels/index.ts';
export { channelNames, imageFormat, IMAGE_DIMENSIONS, type ImageDimension, type ImageFormat } from './nn/gfx.ts';
export { decodeSurface, decodeSurfaceHalf, type DecodeOptions, type Surface } from './textures/surface.ts';
export { holdsTextures, readTextures, type Texture, type TextureOptions } from './textures/texture-files.ts';
