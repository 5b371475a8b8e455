// Unpacks what `xz --format=lzma` has packed, as the LZMA specification of Igor Pavlov (LZMA SDK
// 9.22, lzma-specification) describes it. Hosts pack files by gzip, if at all; the module is a
// quarter smaller so, and browsers cannot unpack it themselves.
"use strict";

// The bytes that are packed. The end of the data is marked in the data; data that ends before is
// refused.
function unpack(packed) {
  const lc = packed[0] % 9,
    lp = Math.floor(packed[0] / 9) % 5,
    pb = Math.floor(packed[0] / 45);
  let out = new Uint8Array(4 * packed.length),
    length = 0;
  // The decoder's range, its code, and the next byte.
  const [RANGE, CODE, NEXT] = [0, 1, 2],
    coder = new Uint32Array([0xffffffff, 0, 18]);
  for (let i = 14; i < 18; i++) coder[CODE] = (coder[CODE] << 8) | packed[i];

  // Where the probabilities of each kind begin. A length has two choices, and trees of 3, 3 and 8
  // bits.
  const MATCH = 0,
    REP = 192,
    REP_FIRST = 204,
    REP_SECOND = 216,
    REP_THIRD = 228,
    REP_LONG = 240,
    SLOT = 432,
    SPECIAL = 688,
    ALIGN = 816,
    LENGTH = 832,
    REP_LENGTH = 1346,
    LITERAL = 1860;
  const chances = new Uint16Array(LITERAL + (0x300 << (lc + lp))).fill(1024);

  function shift() {
    if (coder[NEXT] >= packed.length) throw new Error("the packed data ends too early");
    coder[RANGE] <<= 8;
    coder[CODE] = (coder[CODE] << 8) | packed[coder[NEXT]++];
  }
  function bit(at) {
    const range = coder[RANGE],
      code = coder[CODE],
      chance = chances[at],
      bound = Math.imul(range >>> 11, chance) >>> 0;
    const one = code < bound ? 0 : 1;
    if (one) {
      coder[RANGE] = range - bound;
      coder[CODE] = code - bound;
      chances[at] = chance - (chance >>> 5);
    } else {
      coder[RANGE] = bound;
      chances[at] = chance + ((2048 - chance) >>> 5);
    }
    if (coder[RANGE] < 0x1000000) shift();
    return one;
  }
  // A number of so many bits without probabilities.
  function plain(bits) {
    let number = 0;
    for (; bits; bits--) {
      const half = coder[RANGE] >>> 1,
        one = coder[CODE] < half ? 0 : 1;
      coder[RANGE] = half;
      if (one) coder[CODE] -= half;
      if (half < 0x1000000) shift();
      number = (number << 1) | one;
    }
    return number;
  }
  function tree(from, bits) {
    let node = 1;
    for (let i = 0; i < bits; i++) node = (node << 1) | bit(from + node);
    return node - (1 << bits);
  }
  // The same with the lowest bit first.
  function turned(from, bits) {
    let node = 1,
      number = 0;
    for (let i = 0; i < bits; i++) {
      const one = bit(from + node);
      node = (node << 1) | one;
      number |= one << i;
    }
    return number;
  }
  function count(from, place) {
    if (!bit(from)) return 2 + tree(from + 2 + (place << 3), 3);
    if (!bit(from + 1)) return 10 + tree(from + 130 + (place << 3), 3);
    return 18 + tree(from + 258, 8);
  }

  let state = 0,
    [near, second, third, fourth] = [0, 0, 0, 0];
  for (;;) {
    const place = length & ((1 << pb) - 1);
    if (length + 300 > out.length) {
      const more = new Uint8Array(2 * out.length);
      more.set(out);
      out = more;
    }
    if (!bit(MATCH + (state << 4) + place)) {
      const before = length ? out[length - 1] : 0;
      const from = LITERAL + 0x300 * (((length & ((1 << lp) - 1)) << lc) + (before >> (8 - lc)));
      let symbol = 1;
      if (state >= 7) {
        let like = out[length - near - 1];
        do {
          const guess = (like >> 7) & 1,
            one = bit(from + ((1 + guess) << 8) + symbol);
          like <<= 1;
          symbol = (symbol << 1) | one;
          if (guess !== one) break;
        } while (symbol < 0x100);
      }
      while (symbol < 0x100) symbol = (symbol << 1) | bit(from + symbol);
      out[length++] = symbol;
      state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
      continue;
    }
    let copies;
    if (bit(REP + state)) {
      if (!bit(REP_FIRST + state)) {
        if (!bit(REP_LONG + (state << 4) + place)) {
          state = state < 7 ? 9 : 11;
          if (near >= length) throw new Error("the packed data is broken");
          out[length] = out[length - near - 1];
          length++;
          continue;
        }
      } else if (!bit(REP_SECOND + state)) [near, second] = [second, near];
      else if (!bit(REP_THIRD + state)) [near, second, third] = [third, near, second];
      else [near, second, third, fourth] = [fourth, near, second, third];
      copies = count(REP_LENGTH, place);
      state = state < 7 ? 8 : 11;
    } else {
      [second, third, fourth] = [near, second, third];
      copies = count(LENGTH, place);
      state = state < 7 ? 7 : 10;
      const slot = tree(SLOT + (Math.min(copies - 2, 3) << 6), 6);
      if (slot < 4) near = slot;
      else {
        const bits = (slot >> 1) - 1,
          high = (2 | (slot & 1)) << bits;
        near =
          slot < 14
            ? high + turned(SPECIAL + high - slot, bits)
            : (high + (plain(bits - 4) << 4) + turned(ALIGN, 4)) >>> 0;
        if (near === 0xffffffff) {
          if (coder[CODE]) throw new Error("the packed data is broken");
          return out.subarray(0, length);
        }
      }
    }
    if (near >= length) throw new Error("the packed data is broken");
    for (const end = length + copies; length < end; length++) out[length] = out[length - near - 1];
  }
}
