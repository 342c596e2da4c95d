/**
 * The signing worker, the only place where a key is whole.
 *
 * 1. A key is rebuilt from two shares, trusted if its addresses match, used once, and overwritten.
 * 2. Only signatures and splits leave; the phrase and keys leave through `exportKeys` alone.
 * 3. Every split carries a signature over exactly what goes to the gateway, which proves possession of the key.
 * 4. A recovery share is made only for a method that the key signed.
 * 5. A device share is made with its seed's addresses and their proof. A device with a share recovers only its wallet.
 */
import { canonicalJson, type Recovery, shareProofText, type WalletAddresses } from '@postern/protocol'
import { signPersonalMessage } from '../chains/eip155/keys/sign'
import type { KeySource, NewSplit, ProvenRecovery, SealedShare, SigningWorker } from '../contract'
import { isProvenBy, proveAddresses } from './address-proof'
import { hexOf, type OwnBytes, randomBytes, toBase64Url, utf8, wipe } from './bytes'
import { addressesOf, keysOf, type WalletKeys, wipeKeys } from './derive'
import { openDeviceShare, sealDeviceShare } from './device-share'
import { exportOf } from './export'
import { isKeyFailure, keyFailure } from './failure'
import { entropySize } from './mnemonic'
import { chooseRecovery, requireChosen } from './recovery-proof'
import { readRecoveryShare, writeRecoveryShare } from './recovery-share'
import { isReplacementOf, signReplacement } from './replacement'
import { readShare, splitEntropy, withWallet } from './shares'
import { prepareJob } from './sign'
import { isEndOf, signEnd, signRemoval } from './wallet-end'

const firstGeneration = 0

type Wallet = { readonly entropy: OwnBytes; readonly keys: WalletKeys }
type SplitFor = {
  readonly userId: string
  readonly action: 'create' | 'device' | 'recovery' | 'replace'
  readonly recovery: Recovery
  readonly generation: number
}

export function signingWorker(): SigningWorker {
  return {
    draft: ({ userId }) =>
      guarded(() =>
        withNewSeed(async ({ entropy, keys }) => {
          const { device, auth, recovery } = await splitEntropy(entropy)
          try {
            const addresses = addressesOf(keys)
            const binding = { version: 2, userId, addresses, generation: firstGeneration } as const
            return { device: await sealDeviceShare(device, binding), authShare: toBase64Url(auth), addresses }
          } finally {
            wipe(device, auth, recovery)
          }
        }),
      ),
    create: ({ userId, recovery, draft }) =>
      guarded(() => {
        const create = async (wallet: Wallet) => {
          const generation = recovery.method === 'gateway' ? firstGeneration : firstGeneration + 1
          const choose = () => chooseRecovery(wallet.keys, { userId, recovery, generation })
          return {
            addresses: addressesOf(wallet.keys),
            recoveryProof: generation === firstGeneration ? null : choose(),
            split: await newSplit(wallet, { userId, action: 'create', recovery, generation }),
          }
        }
        return draft === undefined ? withNewSeed(create) : withSource(draft, create)
      }),
    replace: (source, { userId, recovery, draft, ended }) =>
      guarded(() =>
        withSource(source, (before) =>
          withSource(draft, async (wallet) => {
            const generation = firstGeneration + 1
            return {
              recoveryProof: chooseRecovery(wallet.keys, { userId, recovery, generation }),
              split: await newSplit(wallet, { userId, action: 'replace', recovery, generation }),
              signature: signReplacement(before.keys, { userId, from: source.addresses, to: draft.addresses }),
              end: signEnd(before.keys, userId, { what: 'replaced', to: draft.addresses, ...ended }),
            }
          }),
        ),
      ),
    isReplacement: async ({ userId, replaces, to }) =>
      isReplacementOf(replaces.signature, { userId, from: replaces.from, to }),
    endDeleted: (source, { userId, ended }) =>
      guarded(() => withSource(source, ({ keys }) => signEnd(keys, userId, { what: 'deleted', ...ended }))),
    signRemoval: (source, { userId, deviceId }) =>
      guarded(() => withSource(source, ({ keys }) => signRemoval(keys, userId, deviceId))),
    isEnd: async ({ userId, addresses, end }) => isEndOf(addresses, userId, end),
    split: (source, { userId, chosen }) =>
      guarded(() => withSource(source, (wallet) => splitForDevice(wallet, userId, chosen))),
    setRecovery: (source, { userId, recovery, generation }) =>
      guarded(() =>
        withSource(source, async (wallet) => ({
          recoveryProof: chooseRecovery(wallet.keys, { userId, recovery, generation }),
          split: await newSplit(wallet, { userId, action: 'recovery', recovery, generation }),
        })),
      ),
    recover: ({ userId, authShare, recoveryShare, chosen, recoveryKey, addresses, known }) =>
      guarded(async () => {
        if (known !== undefined) await requireSameWallet(known, addresses)
        const { recovery } = chosen
        const shares: [OwnBytes, OwnBytes] = [
          await readRecoveryShare(recoveryShare, recovery, userId, recoveryKey),
          readShare(authShare),
        ]
        return withWallet(shares, addresses, (wallet) => splitForDevice(wallet, userId, chosen))
      }),
    bind: (source, { userId, generation }) =>
      guarded(() =>
        withSource(source, async ({ keys }) => {
          const share = await openDeviceShare(source.device, source.addresses)
          try {
            const binding = { version: 2, userId, addresses: addressesOf(keys), generation } as const
            const device = await sealDeviceShare(share, binding)
            return { device, addressProof: proveAddresses(keys, { userId, generation }) }
          } finally {
            wipe(share)
          }
        }),
      ),
    isProven: async ({ userId, addresses, generation, addressProof }) =>
      isProvenBy(addressProof, addresses, { userId, generation }),
    sign: (source, job) =>
      guarded(async () => {
        const sign = await prepareJob(job)
        return withSource(source, ({ keys }) => sign(keys))
      }),
    exportKeys: (source) => guarded(() => withSource(source, exportOf)),
  }
}

async function withNewSeed<T>(use: (wallet: Wallet) => Promise<T>): Promise<T> {
  const entropy = randomBytes(entropySize)
  const keys = await keysOf(entropy)
  try {
    return await use({ entropy, keys })
  } finally {
    wipeKeys(keys)
    wipe(entropy)
  }
}

async function withSource<T>(source: KeySource, use: (wallet: Wallet) => T | Promise<T>): Promise<T> {
  const device = await openDeviceShare(source.device, source.addresses)
  return withWallet([device, readShare(source.authShare)], source.addresses, use)
}

async function requireSameWallet(known: SealedShare, addresses: WalletAddresses): Promise<void> {
  wipe(await openDeviceShare(known, addresses))
}

async function splitForDevice(wallet: Wallet, userId: string, chosen: ProvenRecovery): Promise<NewSplit> {
  requireChosen(wallet.keys, userId, chosen)
  const generation = chosen.recoveryProof?.generation ?? firstGeneration
  return newSplit(wallet, { userId, action: 'device', recovery: chosen.recovery, generation })
}

async function newSplit(
  { entropy, keys }: Wallet,
  { userId, action, recovery, generation }: SplitFor,
): Promise<NewSplit> {
  const { device, auth, recovery: third } = await splitEntropy(entropy)
  try {
    const authShare = toBase64Url(auth)
    const recoveryShare = await writeRecoveryShare(third, recovery, userId)
    const text = shareProofText({ action, userId, authShare, recoveryShare, recovery: canonicalJson(recovery) })
    return {
      device: await sealDeviceShare(device, { version: 2, userId, addresses: addressesOf(keys), generation }),
      authShare,
      recoveryShare,
      proof: signPersonalMessage(`0x${hexOf(utf8(text))}`, keys.eip155),
      addressProof: proveAddresses(keys, { userId, generation }),
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
