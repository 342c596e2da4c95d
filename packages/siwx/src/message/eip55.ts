/** Own Keccak-256, so that a page needs no cryptography library; a test compares it with one. */
import { hex } from '../hex'

/** @param address in any case */
export function checksumAddress(address: string): string {
  const digits = address.slice(2).toLowerCase()
  const hash = keccak256(digits)
  return `0x${[...digits].map((digit, index) => (Number.parseInt(hash.charAt(index), 16) >= 8 ? digit.toUpperCase() : digit)).join('')}`
}

/** In bytes. */
const rate = 136

/** @param text fewer than 136 ASCII characters. @returns 64 hexadecimal characters. */
function keccak256(text: string): string {
  const block = new Uint8Array(rate)
  block.set(new TextEncoder().encode(text))
  block[text.length] = 0x01
  block[rate - 1] = (block[rate - 1] ?? 0) | 0x80
  const view = new DataView(block.buffer)
  const lanes = Array.from({ length: 25 }, (_, lane) => (lane < rate / 8 ? view.getBigUint64(lane * 8, true) : 0n))
  const output = new DataView(new ArrayBuffer(32))
  permute(lanes)
    .slice(0, 4)
    .forEach((lane, index) => {
      output.setBigUint64(index * 8, lane, true)
    })
  return hex(new Uint8Array(output.buffer))
}

/** Lane (x, y) is x + 5y. Source: FIPS 202, 3.2 and 3.3. */
function permute(start: readonly bigint[]): readonly bigint[] {
  let lanes = start
  let register = 1
  for (let round = 0; round < 24; round++) {
    const at = (x: number, y: number) => lanes[(x % 5) + 5 * (y % 5)] ?? 0n
    const column = (x: number) => at(x, 0) ^ at(x, 1) ^ at(x, 2) ^ at(x, 3) ^ at(x, 4)
    const columns = [0, 1, 2, 3, 4].map(column)
    const theta = [0, 1, 2, 3, 4].map((x) => (columns[(x + 4) % 5] ?? 0n) ^ rotate(columns[(x + 1) % 5] ?? 0n, 1))
    const moved = new Array<bigint>(25).fill(0n)
    for (let y = 0; y < 5; y++)
      for (let x = 0; x < 5; x++)
        moved[y + 5 * ((2 * x + 3 * y) % 5)] = rotate(at(x, y) ^ (theta[x] ?? 0n), offsets[x + 5 * y] ?? 0)
    const from = (x: number, y: number) => moved[(x % 5) + 5 * y] ?? 0n
    const next = moved.map((lane, index) => {
      const [x, y] = [index % 5, Math.floor(index / 5)]
      return lane ^ ((from(x + 1, y) ^ all64) & from(x + 2, y))
    })
    let constant = 0n
    for (let bit = 0; bit < 7; bit++) {
      if (register & 1) constant |= 1n << BigInt(2 ** bit - 1)
      register = register & 0x80 ? ((register << 1) ^ 0x171) & 0xff : register << 1
    }
    next[0] = (next[0] ?? 0n) ^ constant
    lanes = next
  }
  return lanes
}

const all64 = (1n << 64n) - 1n

function rotate(lane: bigint, bits: number): bigint {
  const by = BigInt(bits)
  return ((lane << by) | (lane >> (64n - by))) & all64
}

/** FIPS 202, table 2 modulo 64. */
const offsets = offsetsOf()
function offsetsOf(): readonly number[] {
  const table = new Array<number>(25).fill(0)
  let [x, y] = [1, 0]
  for (let step = 0; step < 24; step++) {
    table[x + 5 * y] = (((step + 1) * (step + 2)) / 2) % 64
    ;[x, y] = [y, (2 * x + 3 * y) % 5]
  }
  return table
}
