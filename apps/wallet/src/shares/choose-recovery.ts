import { maxGenerationStep, type Recovery } from '@postern/protocol'
import type { KeySource, ProvenRecovery } from '../contract'
import { isKeyFailure } from '../failures'
import { knownGeneration } from './judge-share'
import { putSplit, replaceShare, sharesOf } from './replace-share'
import {
  callAs,
  generationOf,
  type ReportedWallet,
  requireAllowed,
  storeOf,
  type WalletOptions,
  type WalletState,
} from './state'

type Row = Extract<WalletState, { kind: 'row' }>
type WithShares = <T>(work: (source: KeySource) => Promise<T>) => Promise<T>

/** Uploads a stale device's new split, once per choice of the user. Null if none is due. */
export async function renewSplit(
  options: WalletOptions,
  state: Row,
  withShares: WithShares,
): Promise<WalletState | null> {
  const { userId, addresses } = state
  const { wallet } = await callAs(options, userId, 'wallet', {})
  if (wallet === null || !wallet.stale) return null
  const { recovery, recoveryProof } = wallet
  const generation = generationOf(wallet)
  if (generation <= knownGeneration(await (await storeOf(options)).share(userId))) return null
  const chosen: ProvenRecovery = { recovery, recoveryProof }
  const { split, fitting } = await withShares(async (source) => ({
    fitting: source.device,
    split: await options.signer.use((worker) => worker.split(source, { userId, chosen })),
  }))
  return putSplit(options, { userId, addresses, recovery, generation }, split, fitting)
}

export async function handInProof(options: WalletOptions, state: Row, withShares: WithShares): Promise<Row> {
  const { userId, generation } = state
  const { addressProof } = await withShares((source) =>
    options.signer.use((worker) => worker.bind(source, { userId, generation })),
  )
  await callAs(options, userId, 'proveAddresses', addressProof)
  return { ...state, isProven: true }
}

/** The new generation is above all that this device knows and the gateway's proven one. */
export async function changeRecovery(
  options: WalletOptions,
  { userId, addresses }: WalletState,
  recovery: Recovery,
  otp: string | undefined,
  withShares: WithShares,
): Promise<Row> {
  requireAllowed(options, recovery)
  const { wallet } = await callAs(options, userId, 'wallet', {})
  const { generation, recoveryProof, split, fitting } = await withShares(async (source) => {
    const generation = (await countedGeneration(options, source, userId, wallet)) + 1
    const changed = await options.signer.use((worker) => worker.setRecovery(source, { userId, recovery, generation }))
    return { generation, fitting: source.device, ...changed }
  })
  const code = otp === undefined ? {} : { otp }
  await replaceShare(options, { userId, generation }, split.device, fitting, async () => {
    const shares = sharesOf(options, split)
    await callAs(options, userId, 'setRecovery', { recovery, recoveryProof, shares, ...code })
  })
  return { kind: 'row', userId, addresses, recovery, generation, isStale: false, isProven: true }
}

/** The newest generation known here. The gateway's counts if the wallet's key signed it and it is not far ahead. */
export async function countedGeneration(
  options: WalletOptions,
  source: KeySource,
  userId: string,
  wallet: ReportedWallet | null,
): Promise<number> {
  const storedGeneration = knownGeneration(await (await storeOf(options)).share(userId))
  const reported = wallet === null ? 0 : generationOf(wallet)
  const isNext = reported > storedGeneration && reported <= storedGeneration + maxGenerationStep
  return wallet !== null && isNext && (await isChosen(options, source, userId, wallet)) ? reported : storedGeneration
}

async function isChosen(
  { signer }: WalletOptions,
  source: KeySource,
  userId: string,
  { recovery, recoveryProof }: ProvenRecovery,
): Promise<boolean> {
  try {
    await signer.use((worker) => worker.split(source, { userId, chosen: { recovery, recoveryProof } }))
    return true
  } catch (thrown) {
    if (isKeyFailure(thrown, 'UNPROVEN_RECOVERY')) return false
    throw thrown
  }
}
