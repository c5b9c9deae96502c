import {
  clamp,
  fbm,
  gradient,
  grey,
  hash2,
  hex,
  lerp,
  mix,
  noise,
  normalMap,
  over,
  paint,
  pixels,
  shade,
  smoothstep,
} from './picture.ts';
import type { Color, Picture, Shader } from './picture.ts';
import { textLine } from './text-line.ts';

/** How far a point lies inside a box with round corners, as the distance to its edge (negative inside). */
function roundBox(x: number, y: number, halfWidth: number, halfHeight: number, radius: number): number {
  const dx = Math.abs(x) - halfWidth + radius;
  const dy = Math.abs(y) - halfHeight + radius;
  return Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - radius;
}

/** Distance to the edge of a five-pointed star (negative inside, and only near the edge exact). */
function star(x: number, y: number, radius: number): number {
  const turn = (2 * Math.PI) / 5;
  const angle = Math.atan2(x, -y);
  const folded = Math.abs(angle - turn * Math.round(angle / turn));
  const r = Math.hypot(x, y);
  const [px, py] = [r * Math.cos(folded), r * Math.sin(folded)];
  // The edge from a tip to the inner corner beside it.
  const inner = 0.45 * radius;
  const [qx, qy] = [inner * Math.cos(turn / 2), inner * Math.sin(turn / 2)];
  return ((px - radius) * qy - py * (qx - radius)) / Math.hypot(qx - radius, qy);
}

/** Ink of a centred line of text whose letters are `size` high. */
function centred(line: string, x: number, y: number, size: number): boolean {
  const text = textLine(line);
  const pixel = size / 7;
  return text.ink(x / pixel + text.width / 2, y / pixel + 3.5);
}

const inside = (distance: number, soft: number): number => 1 - smoothstep(-soft, soft, distance);

// Landscape

const SKY = ['#2f6fc4', '#5b9fe0', '#a8d4f2', '#f3e9d2'].map(hex);

function windmill(x: number, y: number, size: number): Color | undefined {
  const [u, v] = [x / size, y / size];
  const bladeAngle = Math.atan2(v + 1, u) + 0.35;
  const r = Math.hypot(u, v + 1);
  const quarter = Math.abs(Math.sin(2 * bladeAngle)) * r;
  if (r < 0.95 && r > 0.1 && quarter < 0.16 + 0.1 * r) {
    return Math.abs(Math.sin(2 * bladeAngle)) * r < 0.05 ? hex('#6b4a34') : hex('#f6efe0');
  }
  if (r < 0.12) return hex('#5a3d2b');
  if (v < 0 && v > -1.05 && Math.abs(u) < 0.26 - 0.12 * -v) {
    if (v > -0.3 && Math.abs(u) < 0.08) return hex('#7a4f35');
    return mix(hex('#fdf8ee'), hex('#c9bfae'), clamp(0.5 + u * 2));
  }
  if (v <= -1.05 && v > -1.3 && Math.abs(u) < 0.22 * (1 - (-v - 1.05) / 0.25)) return hex('#b5483a');
  return undefined;
}

/** Sky with sun and clouds over hills with a windmill. */
export function landscape(width: number, height: number): Picture {
  const aspect = width / height;
  const ridge = (x: number, base: number, size: number, seed: number): number =>
    base - size * (fbm(x, 0.5, 3, 3, seed) - 0.5) - 0.03 * Math.sin(5 * x + seed);
  const near = (x: number): number => ridge(x, 0.82, 0.2, 37);
  const middle = (x: number): number => ridge(x, 0.66, 0.16, 23) - 0.09 * Math.exp(-(((x - 0.27) / 0.12) ** 2));
  const millFoot = middle(0.27) + 0.01;
  const trees = Array.from({ length: 9 }, (_, i) => {
    const x = (i + 0.2 + 0.6 * hash2(i, 3)) / 9;
    return { x, foot: near(x), size: 0.03 + 0.025 * hash2(i, 4) };
  }).filter(({ x }) => Math.abs(x - 0.27) > 0.09);

  const air = (x: number, y: number): Color => {
    const sun = Math.hypot((x - 0.74) * aspect, y - 0.24);
    let color = over(gradient(SKY, y / 0.62), hex('#fff3c4'), 0.8 * Math.exp(-sun * 7));
    color = over(color, hex('#fffbe6'), inside(sun - 0.065, 0.004));
    const cloud = smoothstep(0.5, 0.7, fbm(x, y * 2.2, 4, 5, 7)) * smoothstep(0.6, 0.15, y);
    return over(color, mix(hex('#ffffff'), hex('#d5dfeb'), fbm(x + 0.03, y * 2.2 - 0.06, 4, 2, 7)), 0.9 * cloud);
  };
  const meadow = (x: number, y: number, top: number): Color => {
    const [gx, gy] = [Math.floor(x * 40), Math.floor(y * 40)];
    const [fx, fy] = [x * 40 - gx - 0.3 - 0.4 * hash2(gx, gy, 1), y * 40 - gy - 0.3 - 0.4 * hash2(gx, gy, 2)];
    if (hash2(gx, gy, 3) > 0.82 && Math.hypot(fx, fy) < 0.14 && y > top + 0.04) {
      return hash2(gx, gy, 4) > 0.5 ? hex('#f7d94c') : hex('#f3eef7');
    }
    const blades = fbm(x, y * 0.35, 64, 2, 41);
    return shade(mix(hex('#5fa34a'), hex('#2f6a34'), smoothstep(top, 1, y)), 0.85 + 0.3 * blades);
  };
  return paint(width, height, (x, y) => {
    const top = near(x);
    if (y > top) return meadow(x, y, top);
    for (const { x: cx, foot, size } of trees) {
      const above = y - foot + size * 1.3;
      if (Math.hypot((x - cx) * aspect, above * 0.8) < size) {
        return shade(hex('#356f3a'), 0.85 + 0.5 * fbm(x, y, 32, 2, 5) - 2.5 * above);
      }
      if (Math.abs(x - cx) < 0.006 && y > foot - size) return hex('#5b4230');
    }
    const mill = windmill((x - 0.27) * aspect, y - millFoot, 0.19);
    if (mill) return mill;
    const hill = middle(x);
    if (y > hill) return mix(hex('#6fa865'), hex('#4f8c4c'), smoothstep(hill, hill + 0.22, y));
    const far = ridge(x, 0.56, 0.22, 11);
    if (y > far) return mix(hex('#7fa3b8'), hex('#a9c5c9'), smoothstep(far, far + 0.18, y));
    return air(x, y);
  });
}

// A brick wall: one height field, and everything else made from it

interface Brick {
  /** 0 in the mortar, 1 on the face of a brick */
  height: number;
  face: number;
  tone: number;
}

function brick(x: number, y: number): Brick {
  const [columns, rows] = [4, 8];
  const row = Math.floor(y * rows);
  const shifted = x * columns + (row % 2) / 2;
  const column = ((Math.floor(shifted) % columns) + columns) % columns;
  const [u, v] = [shifted - Math.floor(shifted) - 0.5, y * rows - row - 0.5];
  const wobble = 0.03 * (fbm(x, y, 16, 3, 3) - 0.5);
  const edge = roundBox(u / 0.5, v, 1, 0.5, 0.16) + 0.09 + wobble * 2;
  const face = 1 - smoothstep(-0.06, 0.03, edge);
  const rough = fbm(x, y, 32, 4, 9);
  return { height: face * (0.82 + 0.18 * rough) + (1 - face) * 0.22 * rough, face, tone: hash2(column, row, 5) };
}

const brickHeight = (x: number, y: number): number => brick(x - Math.floor(x), y - Math.floor(y)).height;

export function brickAlbedo(width: number, height: number): Picture {
  const clay = ['#8c4632', '#a85a3f', '#b96b49', '#9b5038'].map(hex);
  return paint(width, height, (x, y) => {
    const { face, tone, height: h } = brick(x, y);
    const stain = fbm(x, y, 8, 5, 13);
    const mortar = shade(hex('#b9b0a2'), 0.7 + 0.45 * stain);
    const color = shade(gradient(clay, tone), 0.62 + 0.4 * stain + 0.22 * h);
    return mix(mortar, color, face);
  });
}

export const brickNormal = (width: number, height: number): Picture => normalMap(width, height, brickHeight, 0.03);

export function brickRoughness(width: number, height: number): Picture {
  return paint(width, height, (x, y) => {
    const { face, tone } = brick(x, y);
    return grey(clamp(0.92 - face * (0.2 + 0.2 * tone) - 0.25 * fbm(x, y, 24, 3, 17)));
  });
}

export const brickHeightMap = (width: number, height: number): Picture =>
  paint(width, height, (x, y) => grey(brickHeight(x, y)));

// Ground

const GROUNDS: Readonly<Record<string, Shader>> = {
  grass: (x, y) => {
    const blade = fbm(x, y * 0.5, 48, 3, 21);
    const patch = fbm(x, y, 5, 3, 22);
    return shade(mix(hex('#3f7d35'), hex('#8fb24a'), smoothstep(0.35, 0.75, patch)), 0.65 + 0.65 * blade);
  },
  sand: (x, y) => {
    const warp = fbm(x, y, 4, 3, 31);
    const ripple = 0.5 + 0.5 * Math.sin(2 * Math.PI * (9 * y + 2.2 * warp));
    return shade(mix(hex('#c9a56a'), hex('#ecd49b'), ripple), 0.88 + 0.22 * noise(x * 96, y * 96, 96, 32));
  },
  rock: (x, y) => {
    const crack = Math.abs(fbm(x, y, 6, 5, 41) - 0.5) * 2;
    const color = mix(hex('#5d5a58'), hex('#a29c93'), fbm(x, y, 9, 5, 42));
    return shade(color, 0.45 + 0.6 * smoothstep(0, 0.22, crack));
  },
  snow: (x, y) => {
    const drift = fbm(x, y, 4, 5, 51);
    const color = mix(hex('#bcd0e6'), hex('#fbfdff'), smoothstep(0.3, 0.62, drift));
    return noise(x * 128, y * 128, 128, 52) > 0.97 ? hex('#ffffff') : color;
  },
};

export const GROUND_NAMES = Object.keys(GROUNDS);

export const ground = (name: string, width: number, height: number): Picture => paint(width, height, GROUNDS[name]!);

/** An island seen from above, as heights. */
export function islandHeight(width: number, height: number): Picture {
  return paint(width, height, (x, y) => {
    const shore = 1 - Math.hypot((x - 0.5) * 1.9, (y - 0.5) * 1.9);
    const h = shore * 0.9 + 0.75 * (fbm(x, y, 4, 6, 61) - 0.42);
    return grey(clamp(1.25 * h) ** 0.85);
  });
}

/** Where grass (red) and sand (green) lie on the island. */
export function islandMask(width: number, height: number): Picture {
  const heights = islandHeight(width, height);
  return pixels(width, height, (x, y) => {
    const h = heights.rgba[4 * (y * width + x)]! / 255;
    const grass = smoothstep(0.16, 0.3, h) * (1 - smoothstep(0.55, 0.75, h));
    const sand = smoothstep(0.01, 0.08, h) * (1 - smoothstep(0.14, 0.24, h));
    return [Math.round(255 * grass), Math.round(255 * sand), 0, 255];
  });
}

/** Domes in rows, every other one pressed in. */
export function bumpNormal(width: number, height: number): Picture {
  const dome = (x: number, y: number): number => {
    const [u, v] = [x * 4, y * 4];
    const [cx, cy] = [Math.floor(u), Math.floor(v)];
    const r = Math.hypot(u - cx - 0.5, v - cy - 0.5) / 0.4;
    const h = r < 1 ? Math.sqrt(1 - r * r) : 0;
    return (cx + cy) % 2 === 0 ? h : -h;
  };
  return normalMap(width, height, dome, 0.09);
}

export const waterNormal = (width: number, height: number): Picture =>
  normalMap(width, height, (x, y) => fbm(x, y + 0.1 * fbm(x, y, 3, 2, 71), 6, 2, 72), 0.07);

export function woodPlanks(width: number, height: number): Picture {
  return paint(width, height, (x, y) => {
    const plank = Math.floor(x * 4);
    const u = x * 4 - plank;
    const grain = fbm(x + plank * 0.37, y * 0.12 + hash2(plank, 1), 40, 4, 81);
    const rings = 0.5 + 0.5 * Math.sin(40 * (grain + 0.4 * u * (1 - u)));
    let color = mix(hex('#6e4526'), hex('#b98350'), 0.25 + 0.45 * grain + 0.2 * rings);
    color = shade(color, 0.85 + 0.3 * hash2(plank, 2));
    const joint = Math.abs(((y + 0.37 * plank) % 1) - 0.5);
    color = shade(
      color,
      0.35 + 0.65 * Math.min(smoothstep(0, 0.05, u), smoothstep(0, 0.05, 1 - u), smoothstep(0, 0.008, joint)),
    );
    const nail = Math.hypot((u - 0.5) / 4, joint - 0.035);
    return nail < 0.011 ? mix(hex('#d9dde2'), hex('#3b3f46'), nail / 0.011) : color;
  });
}

/** Leaves with holes between them: alpha is all or nothing. */
export function leaves(width: number, height: number): Picture {
  const length = 0.13;
  const twig = Array.from({ length: 42 }, (_, i) => {
    const angle = 2 * Math.PI * hash2(i, 1, 91);
    const reach = 0.36 * Math.sqrt(hash2(i, 2, 91));
    const turn = angle + 1.2 * (hash2(i, 3, 91) - 0.5);
    return {
      x: 0.5 + reach * Math.cos(angle),
      y: 0.5 + reach * Math.sin(angle),
      cos: Math.cos(turn),
      sin: Math.sin(turn),
      tone: mix(hex('#2f6b2c'), hex('#9cc455'), hash2(i, 4, 91)),
    };
  });
  const drawn = paint(width, height, (x, y) => {
    let color: Color = [0.2, 0.38, 0.16, 0];
    for (const leaf of twig) {
      const u = (x - leaf.x) * leaf.cos + (y - leaf.y) * leaf.sin;
      const v = (y - leaf.y) * leaf.cos - (x - leaf.x) * leaf.sin;
      const blade = 0.34 * (1 - (u / length) ** 2) * length;
      if (Math.abs(u) > length || Math.abs(v) > blade) continue;
      const vein = smoothstep(0, 0.004, Math.abs(v)) * smoothstep(0, 0.12, Math.abs(((u + Math.abs(v)) * 30) % 1));
      color = shade(leaf.tone, (0.72 + 0.28 * vein) * (1.05 - Math.abs(v) / blade / 4));
    }
    return color;
  });
  for (let i = 3; i < drawn.rgba.length; i += 4) drawn.rgba[i] = drawn.rgba[i]! >= 128 ? 255 : 0;
  return drawn;
}

export function bark(width: number, height: number): Picture {
  return paint(width, height, (x, y) => {
    const ridge = Math.abs(fbm(x, y * 0.2, 12, 5, 101) - 0.5) * 2;
    const moss = smoothstep(0.55, 0.7, fbm(x, y, 4, 4, 102));
    const color = mix(hex('#2e2018'), hex('#8d6f53'), smoothstep(0.02, 0.45, ridge));
    return shade(mix(color, hex('#6f8f3d'), 0.75 * moss), 0.8 + 0.4 * fbm(x, y, 32, 2, 103));
  });
}

// Charts

/** Squares with their names, the first column and row at the top left. */
export function labelledChecker(width: number, height: number): Picture {
  return paint(width, height, (x, y) => {
    const [column, row] = [Math.min(7, Math.floor(x * 8)), Math.min(7, Math.floor(y * 8))];
    const [u, v] = [x * 8 - column - 0.5, y * 8 - row - 0.5];
    const hue = hsv(column / 8, 0.45, 1 - 0.03 * row);
    const light = (column + row) % 2 === 0;
    const base = light ? hue : shade(hue, 0.4);
    const label = `${'ABCDEFGH'[column]}${row + 1}`;
    if (centred(label, u, v, 0.42)) return light ? hex('#20242c') : hex('#ffffff');
    const border = Math.max(Math.abs(u), Math.abs(v));
    return border > 0.47 ? mix(base, hex('#ffffff'), 0.5) : base;
  });
}

function hsv(hue: number, saturation: number, value: number): Color {
  const part = (n: number): number => {
    const k = (n + hue * 6) % 6;
    return value - value * saturation * clamp(Math.min(k, 4 - k));
  };
  return [part(5), part(3), part(1), 1];
}

/** Hue around, saturation outwards, with a soft rim. */
export function colorWheel(width: number, height: number): Picture {
  return paint(width, height, (x, y) => {
    const [u, v] = [2 * x - 1, 2 * y - 1];
    const r = Math.hypot(u, v);
    const hue = (Math.atan2(-v, u) / (2 * Math.PI) + 1) % 1;
    const color = hsv(hue, clamp(r / 0.94), 1);
    return [color[0], color[1], color[2], 1 - smoothstep(0.92, 0.98, r)];
  });
}

/** A bar of evenly spaced colours, one texel high. */
export const ramp = (width: number, stops: readonly string[]): Picture =>
  paint(width, 1, (x) => gradient(stops.map(hex), x), 2);

/** Steps of light for cel shading, one texel high. */
export const toonRamp = (width: number, tint: string, steps: number): Picture =>
  pixels(width, 1, (x) => {
    const level = Math.floor((x / width) * steps) / (steps - 1);
    const [r, g, b] = shade(mix(hex('#ffffff'), hex(tint), 0.6), lerp(0.25, 1, clamp(level)));
    return [Math.round(r * 255), Math.round(g * 255), Math.round(b * 255), 255];
  });

/** A grading table: what red (x), green (y) and blue (slice) become. */
export function gradingLut(size: number): Picture[] {
  const curve = (v: number): number => Math.round(255 * lerp(v, smoothstep(0, 1, v), 0.6));
  return Array.from({ length: size }, (_, z) =>
    pixels(size, size, (x, y) => {
      const [r, g, b] = [x, y, z].map((v) => v / (size - 1)) as [number, number, number];
      const light = 0.3 * r + 0.6 * g + 0.1 * b;
      return [curve(lerp(r, light + 0.03, 0.1)), curve(lerp(g, light, 0.1)), curve(lerp(b, light - 0.02, 0.1)), 255];
    }),
  );
}

/** A puff of cloud cut into slices, as density. */
export function cloudVolume(width: number, height: number, depth: number): Picture[] {
  return Array.from({ length: depth }, (_, z) => {
    const w = (z + 0.5) / depth;
    return paint(width, height, (x, y) => {
      const r = Math.hypot(x - 0.5, (y - 0.55) * 1.4, w - 0.5) * 2.1;
      const wisps = 0.5 * fbm(x + w * 0.5, y, 4, 4, 111) + 0.5 * fbm(x, y + w * 0.7, 4, 4, 112);
      return grey(clamp(1.25 * (1 - r) + 1.5 * (wisps - 0.5)));
    });
  });
}

// Sky box

export const CUBE_FACES = ['+X', '-X', '+Y', '-Y', '+Z', '-Z'] as const;

/** Direction of a point on a cube face, y up. */
function faceDirection(face: number, x: number, y: number): [number, number, number] {
  const [u, v] = [2 * x - 1, 2 * y - 1];
  const directions: [number, number, number][] = [
    [1, -v, -u],
    [-1, -v, u],
    [u, 1, v],
    [u, -1, -v],
    [u, -v, 1],
    [-u, -v, -1],
  ];
  return directions[face]!;
}

const SKIES = {
  day: { zenith: '#2a66b8', horizon: '#cfe6f5', ground: '#77905a', light: '#fff6d8', stars: 0 },
  night: { zenith: '#070b1e', horizon: '#2a3560', ground: '#1a2030', light: '#e8ecff', stars: 1 },
} as const;

/** A sky with sun or moon over a chequered plain; each face bears its name and an arrow to its upper edge. */
export function cubeFace(face: number, size: number, time: keyof typeof SKIES = 'day'): Picture {
  const sky = SKIES[time];
  const sun = [0.55, 0.5, 0.67];
  return paint(size, size, (x, y) => {
    const [dx, dy, dz] = faceDirection(face, x, y);
    const length = Math.hypot(dx, dy, dz);
    const up = dy / length;
    let color: Color;
    if (up >= 0) {
      color = mix(hex(sky.horizon), hex(sky.zenith), smoothstep(0, 0.75, up));
      const toSun = (dx * sun[0]! + dy * sun[1]! + dz * sun[2]!) / length / Math.hypot(...sun);
      color = over(color, hex(sky.light), inside(0.985 - toSun, 0.002) + 0.5 * Math.exp((toSun - 1) * 18));
      const [px, pz] = [(dx / (dy + 0.4)) * 24, (dz / (dy + 0.4)) * 24];
      const bright = hash2(Math.floor(px), Math.floor(pz), 5) > 0.93;
      const dot = Math.hypot(px - Math.floor(px) - 0.5, pz - Math.floor(pz) - 0.5);
      if (sky.stars && bright && dot < 0.16) color = hex('#ffffff');
    } else {
      const [px, pz] = [Math.floor((dx / -dy) * 2.5), Math.floor((dz / -dy) * 2.5)];
      const tile = (((px + pz) % 2) + 2) % 2 ? 0.82 : 1;
      color = mix(shade(hex(sky.ground), tile), hex(sky.horizon), smoothstep(-0.3, 0, up));
    }
    const tint = hsv(face / 6, 0.75, 0.95);
    if (Math.max(Math.abs(x - 0.5), Math.abs(y - 0.5)) > 0.475) color = over(color, tint, 0.9);
    color = over(color, [0, 0, 0, 0.55], inside(roundBox(x - 0.5, y - 0.5, 0.24, 0.16, 0.05), 0.004));
    if (centred(CUBE_FACES[face]!, x - 0.5, y - 0.5, 0.22)) color = hex('#ffffff');
    const head = Math.abs(x - 0.5) < (y - 0.08) * 0.8 && y < 0.17 && y > 0.08;
    const shaft = Math.abs(x - 0.5) < 0.022 && y >= 0.17 && y < 0.28;
    return head || shaft ? tint : color;
  });
}

// Icons and other interface pictures

export function coinIcon(width: number, height: number, turn = 0): Picture {
  const squeeze = Math.max(0.12, Math.abs(Math.cos(turn)));
  return paint(width, height, (x, y) => {
    const [u, v] = [(2 * x - 1) / squeeze, 2 * y - 1];
    const r = Math.hypot(u, v);
    const glow: Color = [1, 0.84, 0.36, 0.55 * smoothstep(1, 0.74, Math.hypot(2 * x - 1, v))];
    const shine = clamp(0.5 - 0.45 * u - 0.45 * v);
    const rim = mix(hex('#9a5f12'), hex('#ffe68a'), shine);
    const plate = mix(hex('#d08a1e'), hex('#ffd75e'), shine);
    let color = over(glow, rim, inside(r - 0.78, 0.03));
    color = over(color, plate, inside(r - 0.64, 0.02));
    color = over(color, mix(hex('#fff4c2'), hex('#e8a92c'), 1 - shine), inside(star(u, v, 0.46), 0.02));
    return color;
  });
}

/** Shades of grey: the game gives it its colour. */
export function heartIcon(width: number, height: number): Picture {
  return paint(
    width,
    height,
    (x, y) => {
      const [u, v] = [(2 * x - 1) * 1.3, (1.08 - 2 * y) * 1.3 + 0.1];
      const body = (u * u + v * v - 1) ** 3 - u * u * v * v * v < 0;
      const shine = Math.exp(-14 * ((u + 0.5) ** 2 + (v - 0.5) ** 2));
      const light = clamp(0.55 + 0.3 * v + 0.5 * shine);
      return [light, light, light, body ? 1 : 0];
    },
    4,
  );
}

/** A white arrow on nothing: only its alpha counts. */
export function arrowMask(width: number, height: number): Picture {
  return paint(
    width,
    height,
    (x, y) => {
      const head = y > 0.12 && y < 0.52 && Math.abs(x - 0.5) < (y - 0.12) * 0.95;
      const shaft = y >= 0.5 && y < 0.88 && Math.abs(x - 0.5) < 0.14;
      return grey(head || shaft ? 1 : 0);
    },
    4,
  );
}

export function button(width: number, height: number, caption: string): Picture {
  const aspect = width / height;
  return paint(width, height, (x, y) => {
    const [u, v] = [(x - 0.5) * aspect, y - 0.5];
    const body = roundBox(u, v, aspect / 2 - 0.06, 0.38, 0.2);
    const shadow = roundBox(u, v - 0.07, aspect / 2 - 0.06, 0.38, 0.22);
    let color: Color = [0, 0, 0, 0.45 * inside(shadow, 0.07)];
    color = over(color, mix(hex('#7fd7ff'), hex('#1c6fd0'), clamp(v + 0.55)), inside(body, 0.012));
    color = over(color, [1, 1, 1, 0.45], inside(roundBox(u, v + 0.17, aspect / 2 - 0.13, 0.13, 0.12), 0.02));
    color = over(color, hex('#0d3f86'), inside(Math.abs(body) - 0.018, 0.01));
    if (centred(caption, u - 0.02, v - 0.03, 0.34)) color = over(color, hex('#0d3f86'), 0.7);
    return centred(caption, u, v, 0.34) ? hex('#ffffff') : color;
  });
}

/** Lines of large letters with a dark outline, lit from above. */
export function logo(width: number, height: number, lines: readonly string[]): Picture {
  const aspect = width / height;
  return paint(width, height, (x, y) => {
    let color: Color = [0.16, 0.12, 0.3, 0];
    lines.forEach((line, i) => {
      const [u, v] = [(x - 0.5) * aspect, y - (i + 0.5) / lines.length];
      const size = 0.62 / lines.length;
      const near = size / 7;
      for (let k = 0; k < 12; k++) {
        const angle = (k * Math.PI) / 6;
        if (centred(line, u + near * Math.cos(angle), v + near * (Math.sin(angle) - 0.35), size))
          color = hex('#2a1e4e');
      }
      const face = gradient(['#fff7d6', '#ffd34d', '#f08a24'].map(hex), v / size + 0.5);
      if (centred(line, u, v, size)) color = face;
    });
    return color;
  });
}

/** Four letters in a frame: shows at once whether a picture is upside down, mirrored or cut. */
export function cornerCard(width: number, height: number, tint: string): Picture {
  return paint(width, height, (x, y) => {
    const [px, py] = [x * width, y * height];
    const edge = Math.min(px, py, width - px, height - py);
    if (edge < 1) return hex('#ffffff');
    const size = Math.min(width, height) / 3.2;
    const corners = [
      ['A', 0.2, 0.26],
      ['B', 0.8, 0.26],
      ['C', 0.2, 0.74],
      ['D', 0.8, 0.74],
    ] as const;
    for (const [letter, cx, cy] of corners) {
      if (centred(letter, px - cx * width, py - cy * height, size)) return hex('#ffffff');
    }
    return mix(hex(tint), shade(hex(tint), 0.35), (x + y) / 2);
  });
}
