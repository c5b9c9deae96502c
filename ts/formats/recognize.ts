export interface FileType { id: string; description: string; version?: string; certainty: 'magic' | 'probably' | 'by name' | 'unknown'; kind: string; platform?: string; detail?: string }
export function recognize(head: Uint8Array, options: { name?: string; size: number; tail?: Uint8Array }): FileType {
  void options;
  const m = String.fromCharCode(...head.subarray(0, 4));
  const id = m === 'BNTX' ? 'bntx' : m === 'SARC' ? 'sarc' : m === 'Yaz0' ? 'yaz0' : m === '\x28\xb5\x2f\xfd' ? 'zstd' : m === 'FRES' ? 'bfres' : m === 'FFNT' ? 'bffnt' : 'unknown';
  return { id, description: id, certainty: id === 'unknown' ? 'unknown' : 'magic', kind: id };
}
