import { Failure } from '@postern/protocol/failure'
import { GatewayError } from '../account/gateway'
import type { RecoveryKey } from '../contract'
import { putSplit, sharesOf } from './replace-share'
import {
  callAs,
  generationOf,
  storeOf,
  type ToldWallet,
  type WalletBase,
  type WalletOptions,
  type WalletState,
} from './state'

/** Finds the user's wallet, or creates it. */
export async function findWallet(options: WalletOptions, userId: string): Promise<WalletState> {
  const { wallet } = await callAs(options, userId, 'wallet', {})
  return wallet === null ? createNew(options, userId) : findOnDevice(options, userId, wallet)
}

async function createNew(options: WalletOptions, userId: string): Promise<WalletState> {
  const store = await storeOf(options)
  const { addresses, split } = await options.signer.use((worker) => worker.create({ userId }))
  await store.setShare({ userId, device: split.device })
  try {
    await callAs(options, userId, 'createWallet', { addresses, shares: sharesOf(options, split) })
  } catch (thrown) {
    if (!(thrown instanceof GatewayError) || thrown.failure !== 'WALLET_EXISTS') throw thrown
    await store.dropShare(userId)
    const { wallet: other } = await callAs(options, userId, 'wallet', {})
    if (other === null) throw thrown
    return findOnDevice(options, userId, other)
  }
  return { kind: 'row', userId, addresses, recovery: { method: 'gateway' }, generation: 0, isStale: false }
}

async function findOnDevice(options: WalletOptions, userId: string, told: ToldWallet): Promise<WalletState> {
  const { addresses, recovery, devices, stale } = told
  const base: WalletBase = { userId, addresses, recovery, generation: generationOf(told) }
  const share = await (await storeOf(options)).share(userId)
  const hasRow = devices.some(({ isThis }) => isThis)
  if (share !== null && hasRow) return { ...base, kind: 'row', isStale: stale }
  return recovery.method === 'gateway' ? recoverWallet(options, base) : { ...base, kind: 'locked' }
}

/** From another row. `recoveryKey` is required unless the method is `gateway`. */
export async function recoverWallet(
  options: WalletOptions,
  base: WalletBase,
  recoveryKey?: RecoveryKey,
): Promise<WalletState> {
  const { userId, addresses } = base
  const { authShare, recoveryShare, ...chosen } = await callAs(options, userId, 'recover', {})
  const { storage, store } = await options.ladder.current()
  const generation = generationOf(chosen)
  if (generation < ((await store.share(userId))?.generation ?? 0)) throw new Failure('WALLET_KEY_MISMATCH')
  const key = recoveryKey === undefined ? {} : { recoveryKey }
  const split = await options.signer.use((worker) =>
    worker.recover({ userId, authShare, recoveryShare, chosen, addresses, ...key }),
  )
  const recovered: WalletBase = { ...base, recovery: chosen.recovery, generation }
  return storage === 'memory' ? { ...recovered, kind: 'held', split } : putSplit(options, recovered, split)
}
