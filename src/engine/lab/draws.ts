export type Draw = () => number;

/** Returns random numbers that only depend on the seed and `n` (MurmurHash3's finalizer, then mulberry32). */
export function createDraw(seed: number, n: number): Draw {
  let state = mixBits(mixBits(seed) ^ Math.imul(n, 0x9e3779b1));
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function drawOne<T>(draw: Draw, values: readonly T[]): T {
  return values[Math.floor(draw() * values.length)] as T;
}

function mixBits(bits: number): number {
  let mix = bits ^ (bits >>> 16);
  mix = Math.imul(mix, 0x85ebca6b);
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35);
  return mix ^ (mix >>> 16);
}
