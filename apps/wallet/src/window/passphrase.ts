import type { Recovery } from '@postern/protocol'
import { fromBase64Url, type OwnBytes, randomBytes, toBase64Url, wipe } from '../keys/bytes'
import { createRecoveryKey, openRecoveryKey } from '../keys/recovery-key'

export const shortestPassphrase = 12

/** RFC 9106, second recommended option: 64 MiB, three passes, one lane because a page has one thread. */
const cost = { memory: 65_536, passes: 3, lanes: 1 } as const
const saltSize = 16

/** 32 bytes of Argon2id. `onProgress`: 0 to 1. */
export type Stretch = (
  given: { readonly passphrase: OwnBytes; readonly salt: OwnBytes; readonly cost: ArgonCost },
  onProgress: (part: number) => void,
) => Promise<OwnBytes>
export type ArgonCost = { readonly memory: number; readonly passes: number; readonly lanes: number }

/** A rough estimate. `missing`: characters. */
export type Strength =
  | { readonly kind: 'short'; readonly missing: number }
  | { readonly kind: 'weak' | 'fair' | 'strong' }

/** Distinct steps, not character classes: a sentence is stronger than a decorated word. */
export function strengthOf(passphrase: string): Strength {
  const characters = [...normalised(passphrase)]
  if (characters.length < shortestPassphrase) return { kind: 'short', missing: shortestPassphrase - characters.length }
  const different = new Set(characters.map((character) => character.toLowerCase())).size
  const steps = characters.filter((character, index) => isStep(characters[index - 1], character)).length
  const telling = characters.length - steps
  if (different < 6 || telling < shortestPassphrase - 2 || /^\d+$/.test(passphrase)) return { kind: 'weak' }
  return { kind: telling >= 20 && different >= 9 ? 'strong' : 'fair' }
}

/** 'aaaa', '1234', 'dcba'. */
function isStep(before: string | undefined, after: string): boolean {
  const [from, to] = [before?.codePointAt(0), after.codePointAt(0)]
  return from !== undefined && to !== undefined && Math.abs(to - from) <= 1
}

/** The same for every keyboard. */
function normalised(passphrase: string): string {
  return passphrase.normalize('NFKC')
}

type PassphraseRecovery = Extract<Recovery, { method: 'passphrase' }>

export async function newPassphrase(
  passphrase: string,
  stretch: Stretch,
  onProgress: (part: number) => void,
): Promise<PassphraseRecovery> {
  const salt = randomBytes(saltSize)
  const secret = await stretched(passphrase, { salt, cost }, stretch, onProgress)
  try {
    return {
      method: 'passphrase',
      ...(await createRecoveryKey('passphrase', secret)),
      salt: toBase64Url(salt),
      ...cost,
    }
  } finally {
    wipe(secret)
  }
}

/** Rejects with BAD_RECOVERY_KEY if it is wrong. */
export async function openByPassphrase(
  recovery: PassphraseRecovery,
  passphrase: string,
  stretch: Stretch,
  onProgress: (part: number) => void,
): Promise<CryptoKey> {
  const { memory, passes, lanes } = recovery
  const given = { salt: fromBase64Url(recovery.salt), cost: { memory, passes, lanes } }
  const secret = await stretched(passphrase, given, stretch, onProgress)
  try {
    return await openRecoveryKey('passphrase', recovery, secret)
  } finally {
    wipe(secret)
  }
}

async function stretched(
  text: string,
  { salt, cost }: { readonly salt: OwnBytes; readonly cost: ArgonCost },
  stretch: Stretch,
  onProgress: (part: number) => void,
): Promise<OwnBytes> {
  const passphrase = new Uint8Array(new TextEncoder().encode(normalised(text)))
  try {
    return await stretch({ passphrase, salt, cost }, onProgress)
  } finally {
    wipe(passphrase)
  }
}
