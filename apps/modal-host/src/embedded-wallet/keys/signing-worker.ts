/**
 * The signing worker's work: the only place where a key is whole (DESIGN §4).
 *
 * 1. A key is rebuilt from two shares, believed once its addresses are those of the wallet, used once, and overwritten.
 * 2. What leaves is a signature, or a new split; the words and keys themselves leave by `exportKeys` alone.
 * 3. Whoever hands in shares proves that they hold the key: each split carries a signature over exactly what goes to the gateway.
 * 4. A failure is one of `KeyFailure`, and says nothing more.
 */
import { canonicalJson, type Recovery, shareProofText } from '@postern/protocol'
import type { KeySource, NewSplit, SigningWorker } from '../contract'
import { type OwnBytes, randomBytes, toBase64Url, utf8, wipe } from './bytes'
import { addressesOf, keysOf, type WalletKeys, wipeKeys } from './derive'
import { openDeviceShare, sealDeviceShare } from './device-share'
import { exportOf } from './export'
import { isKeyFailure, keyFailure } from './failure'
import { entropySize } from './mnemonic'
import { readRecoveryShare, writeRecoveryShare } from './recovery-share'
import { readShare, splitEntropy, withWallet } from './shares'
import { prepareJob } from './sign'
import { signPersonalMessage } from './sign-eip155'

type Wallet = { readonly entropy: OwnBytes; readonly keys: WalletKeys }
type SplitFor = {
  readonly userId: string
  readonly action: 'create' | 'device' | 'recovery'
  readonly recovery: Recovery
}

export function signingWorker(): SigningWorker {
  return {
    create: ({ userId }) =>
      guarded(async () => {
        const entropy = randomBytes(entropySize)
        const keys = await keysOf(entropy)
        try {
          const given = { userId, action: 'create', recovery: { method: 'gateway' } } as const
          return { addresses: addressesOf(keys), split: await newSplit({ entropy, keys }, given) }
        } finally {
          wipeKeys(keys)
          wipe(entropy)
        }
      }),
    split: (source, given) => guarded(() => withSource(source, (wallet) => newSplit(wallet, given))),
    recover: ({ userId, authShare, recoveryShare, recovery, recoveryKey, addresses }) =>
      guarded(async () => {
        const shares: [OwnBytes, OwnBytes] = [
          await readRecoveryShare(recoveryShare, recovery, userId, recoveryKey),
          readShare(authShare),
        ]
        return withWallet(shares, addresses, (wallet) => newSplit(wallet, { userId, action: 'device', recovery }))
      }),
    sign: (source, job) =>
      guarded(async () => {
        const sign = await prepareJob(job)
        return withSource(source, ({ keys }) => sign(keys))
      }),
    exportKeys: (source) => guarded(() => withSource(source, exportOf)),
  }
}

async function withSource<T>(source: KeySource, use: (wallet: Wallet) => T | Promise<T>): Promise<T> {
  const device = await openDeviceShare(source.device, source.addresses.eip155)
  return withWallet([device, readShare(source.authShare)], source.addresses, use)
}

async function newSplit({ entropy, keys }: Wallet, { userId, action, recovery }: SplitFor): Promise<NewSplit> {
  const { device, auth, recovery: third } = await splitEntropy(entropy)
  try {
    const authShare = toBase64Url(auth)
    const recoveryShare = await writeRecoveryShare(third, recovery, userId)
    const text = shareProofText({ action, userId, authShare, recoveryShare, recovery: canonicalJson(recovery) })
    return {
      device: await sealDeviceShare(device, addressesOf(keys).eip155),
      authShare,
      recoveryShare,
      proof: signPersonalMessage(`0x${hexOf(utf8(text))}`, keys.eip155),
    }
  } finally {
    wipe(device, auth, third)
  }
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

async function guarded<T>(task: () => Promise<T>): Promise<T> {
  try {
    return await task()
  } catch (cause) {
    throw isKeyFailure(cause) ? cause : keyFailure('BAD_JOB')
  }
}
