import { argon2id } from '@noble/hashes/argon2.js'
import { type OwnBytes, wipe } from '../../keys/bytes'
import type { ArgonCost } from './passphrase'

/** RFC 9106, version 0x13, 32 bytes. Overwrites the passphrase. */
export function stretchPassphrase(
  { passphrase, salt, cost }: { readonly passphrase: OwnBytes; readonly salt: OwnBytes; readonly cost: ArgonCost },
  onProgress: (part: number) => void,
): OwnBytes {
  try {
    const { memory: m, passes: t, lanes: p } = cost
    return new Uint8Array(argon2id(passphrase, salt, { m, t, p, dkLen: 32, onProgress }))
  } finally {
    wipe(passphrase)
  }
}
