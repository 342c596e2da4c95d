/**
 * Shamir 2 of 3 over the wallet's entropy.
 *
 * 1. A single share reveals nothing.
 * 2. The scheme does not detect a bad share, so only a result with matching addresses is trusted.
 * 3. Shares, entropy and keys are overwritten right after use, on success or failure.
 */
import type { WalletAddresses } from '@postern/protocol'
import { combine, split } from 'shamir-secret-sharing'
import { isSameWallet } from '../same-wallet'
import { fromBase64Url, type OwnBytes, wipe } from './bytes'
import { addressesOf, keysOf, type WalletKeys, wipeKeys } from './derive'
import { keyFailure } from './failure'
import { entropySize } from './mnemonic'

export type ThreeShares = { readonly device: OwnBytes; readonly auth: OwnBytes; readonly recovery: OwnBytes }

/** The caller overwrites them. */
export async function splitEntropy(entropy: OwnBytes): Promise<ThreeShares> {
  const [device, auth, recovery] = await split(entropy, 3, 2)
  if (device === undefined || auth === undefined || recovery === undefined) throw new Error('Three shares are wanted')
  const shares = { device: new Uint8Array(device), auth: new Uint8Array(auth), recovery: new Uint8Array(recovery) }
  wipe(device, auth, recovery)
  return shares
}

export function readShare(text: string): OwnBytes {
  try {
    return fromBase64Url(text)
  } catch {
    throw keyFailure('BAD_SHARES')
  }
}

/** Rejects with BAD_SHARES. Overwrites the shares and all that derives from them. */
export async function withWallet<T>(
  shares: readonly [OwnBytes, OwnBytes],
  addresses: WalletAddresses,
  use: (wallet: { readonly entropy: OwnBytes; readonly keys: WalletKeys }) => T | Promise<T>,
): Promise<T> {
  const entropy = await combineShares(shares)
  try {
    const keys = await keysOf(entropy)
    try {
      if (!isSameWallet(addressesOf(keys), addresses)) throw keyFailure('BAD_SHARES')
      return await use({ entropy, keys })
    } finally {
      wipeKeys(keys)
    }
  } finally {
    wipe(entropy)
  }
}

async function combineShares(shares: readonly [OwnBytes, OwnBytes]): Promise<OwnBytes> {
  try {
    const combined = await combine([...shares])
    if (combined.length !== entropySize) throw keyFailure('BAD_SHARES')
    const entropy = new Uint8Array(combined)
    wipe(combined)
    return entropy
  } catch {
    throw keyFailure('BAD_SHARES')
  } finally {
    wipe(...shares)
  }
}
