/**
 * The signing worker, the only place where a key is whole.
 *
 * 1. A key is rebuilt from two shares, trusted if its addresses match, used once, and overwritten.
 * 2. Only a signature or a new split leaves; the phrase and keys leave through `exportKeys` alone.
 * 3. Every split carries a signature over exactly what goes to the gateway, which proves possession of the key.
 * 4. A recovery share is made only for a method that the user chose, proved by the key's own signature.
 * 5. A failure is one of `KeyFailure`, without details.
 */
import { canonicalJson, type Recovery, shareProofText } from '@postern/protocol'
import type { KeySource, NewSplit, ProvenRecovery, SigningWorker } from '../contract'
import { hexOf, type OwnBytes, randomBytes, toBase64Url, utf8, wipe } from './bytes'
import { addressesOf, keysOf, type WalletKeys, wipeKeys } from './derive'
import { openDeviceShare, sealDeviceShare } from './device-share'
import { exportOf } from './export'
import { isKeyFailure, keyFailure } from './failure'
import { entropySize } from './mnemonic'
import { chooseRecovery, requireChosen } from './recovery-proof'
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
    split: (source, { userId, chosen }) =>
      guarded(() => withSource(source, (wallet) => splitForDevice(wallet, userId, chosen))),
    setRecovery: (source, { userId, recovery, generation }) =>
      guarded(() =>
        withSource(source, async (wallet) => ({
          recoveryProof: chooseRecovery(wallet.keys, { userId, recovery, generation }),
          split: await newSplit(wallet, { userId, action: 'recovery', recovery }),
        })),
      ),
    recover: ({ userId, authShare, recoveryShare, chosen, recoveryKey, addresses }) =>
      guarded(async () => {
        const { recovery } = chosen
        const shares: [OwnBytes, OwnBytes] = [
          await readRecoveryShare(recoveryShare, recovery, userId, recoveryKey),
          readShare(authShare),
        ]
        return withWallet(shares, addresses, (wallet) => splitForDevice(wallet, userId, chosen))
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

async function splitForDevice(wallet: Wallet, userId: string, chosen: ProvenRecovery): Promise<NewSplit> {
  requireChosen(wallet.keys, userId, chosen)
  return newSplit(wallet, { userId, action: 'device', recovery: chosen.recovery })
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

async function guarded<T>(task: () => Promise<T>): Promise<T> {
  try {
    return await task()
  } catch (cause) {
    throw isKeyFailure(cause) ? cause : keyFailure('BAD_JOB')
  }
}
