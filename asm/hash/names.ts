// Hashes of names, a byte a step.

/** The name hash of SARC, in which bytes are signed. */
export function sarc_name(name: usize, size: usize, multiplier: u32): u32 {
  let h: u32 = 0;
  for (const end = name + size; name < end; name++) h = h * multiplier + <u32>(<i32>load<i8>(name));
  return h;
}

/** FNV-1a with 32 bits. */
export function fnv1a(data: usize, size: usize): u32 {
  let h: u32 = 0x811c9dc5;
  for (const end = data + size; data < end; data++) h = (h ^ <u32>load<u8>(data)) * 0x01000193;
  return h;
}
