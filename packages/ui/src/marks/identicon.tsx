import styles from './identicon.module.css'

/** In degrees. */
export type IdenticonPlan = { readonly turn: number; readonly hues: readonly [number, number, number] }

/** Hex ignores case (EIP-55); base58 does not. */
export function planIdenticon(address: string): IdenticonPlan {
  const name = /^0x[0-9a-f]+$/i.test(address) ? address.toLowerCase() : address
  const next = randomFrom(name)
  const first = next() * 360
  // Another hue, but close enough for a single stone.
  const second = first + 40 + next() * 70
  const third = second + 60 + next() * 90
  return { turn: Math.round(next() * 360), hues: [degrees(first), degrees(second), degrees(third)] }
}

export function Identicon({ address }: { readonly address: string }) {
  return <span className={styles.identicon} style={{ backgroundImage: identiconImage(address) }} aria-hidden="true" />
}

export function identiconImage(address: string): string {
  const { turn, hues } = planIdenticon(address)
  const [first, second, third] = hues.map(
    (hue, index) => `oklch(${[0.62, 0.8, 0.86][index]} ${[0.12, 0.1, 0.08][index]} ${hue})`,
  )
  return `conic-gradient(from ${turn}deg, ${first}, ${second}, ${third}, ${second}, ${first})`
}

function degrees(value: number): number {
  return Math.round(value) % 360
}

/** Returns numbers from 0 to 1 that depend on the text alone: FNV-1a seed, mulberry32 sequence. */
function randomFrom(text: string): () => number {
  let state = 0x811c9dc5
  for (let index = 0; index < text.length; index++) state = Math.imul(state ^ text.charCodeAt(index), 0x01000193)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
