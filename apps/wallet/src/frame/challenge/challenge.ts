import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { EmailChallenge } from '@postern/protocol'

/** Takes up to a few seconds. @throws if there is no solution */
export function solveChallenge({ salt, target, max }: EmailChallenge): number {
  const text = new TextEncoder()
  const firstByte = Number.parseInt(target.slice(0, 2), 16)
  for (let number = 0; number <= max; number += 1) {
    const hash = sha256(text.encode(`${salt}${number}`))
    if (hash[0] === firstByte && bytesToHex(hash) === target) return number
  }
  throw new Error('The challenge has no solution')
}
