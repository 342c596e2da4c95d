import type { Recovery, WalletAddresses } from '@postern/protocol'
import { fromBase64Url, type OwnBytes, randomBytes, toBase64Url, wipe } from '../../keys/bytes'
import { createRecoveryKey, openRecoveryKey } from '../../keys/recovery-key'

/** In characters. */
export const minPassphraseLength = 12

/** RFC 9106, second recommended option: 64 MiB, three passes; one lane, as a page has one thread. */
const cost = { memory: 65_536, passes: 3, lanes: 1 } as const
const saltSize = 16

/** 32 bytes of Argon2id. `onProgress`: 0 to 1. */
export type Stretch = (
  given: { readonly passphrase: OwnBytes; readonly salt: OwnBytes; readonly cost: ArgonCost },
  onProgress: (part: number) => void,
) => Promise<OwnBytes>
export type ArgonCost = { readonly memory: number; readonly passes: number; readonly lanes: number }

/** The same for every keyboard. */
export function normalised(passphrase: string): string {
  return passphrase.normalize('NFKC')
}

type PassphraseRecovery = Extract<Recovery, { method: 'passphrase' }>

/** Bound to the addresses. */
export async function newPassphrase(
  passphrase: string,
  addresses: WalletAddresses,
  stretch: Stretch,
  onProgress: (part: number) => void,
): Promise<PassphraseRecovery> {
  const salt = randomBytes(saltSize)
  const secret = await stretched(passphrase, { salt, cost }, stretch, onProgress)
  try {
    return {
      method: 'passphrase',
      ...(await createRecoveryKey('passphrase', secret, addresses)),
      salt: toBase64Url(salt),
      ...cost,
    }
  } finally {
    wipe(secret)
  }
}

/** Rejects with BAD_RECOVERY_KEY. */
export async function openByPassphrase(
  recovery: PassphraseRecovery,
  addresses: WalletAddresses | null,
  passphrase: string,
  stretch: Stretch,
  onProgress: (part: number) => void,
): Promise<CryptoKey> {
  const { memory, passes, lanes } = recovery
  const input = { salt: fromBase64Url(recovery.salt), cost: { memory, passes, lanes } }
  const secret = await stretched(passphrase, input, stretch, onProgress)
  try {
    return await openRecoveryKey('passphrase', recovery, secret, addresses)
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
