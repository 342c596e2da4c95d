import { type CaipNetworkId, parseCaipNetworkId, type RecoveryRule, type WalletUser } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { Accounts } from '../signing/accounts'
import type { Networks } from '../signing/networks'
import type { Ladder } from '../storage/ladder'
import type { Wallet } from '../wallet'
import type { Session } from './session'

export type UserOptions = {
  readonly ladder: Ladder
  readonly session: Session
  readonly wallet: Wallet
  readonly networks: Networks
  readonly accounts: Accounts
  readonly recoveryRule: RecoveryRule
  readonly bitcoinNetworks: readonly CaipNetworkId[]
}

/**
 * Without accounts if there is no wallet, or if it is locked with unproven addresses.
 * @throws {Failure} UNAUTHORIZED if signed out
 */
export async function describeUser(options: UserOptions, signal: AbortSignal): Promise<WalletUser> {
  const { ladder, session, wallet, networks, accounts, bitcoinNetworks } = options
  const { addresses, locked, recovery, isNew, ended } = await wallet.find()
  const signedIn = await session.current()
  if (signedIn === null) throw new Failure('UNAUTHORIZED')
  const networkId = await networks.current('eip155')
  const { storage } = await ladder.current()
  const { email, userName, provider } = signedIn.user
  const chainId = evmChainId(networkId)
  const described = { email, userName, provider, storage, chainId, ...(locked !== null && { locked }) }
  if (ended !== undefined) return { ...described, address: '', ended }
  if (recovery === null) return { ...described, address: '', recoveryWanted: options.recoveryRule }
  if (addresses === null) return { ...described, address: '' }
  const evm = await accounts.evm(networkId, addresses, signal)
  const [preferred] = evm
  const smart = evm.find(({ type }) => type === 'smartAccount')
  const bitcoin = await Promise.all(
    bitcoinNetworks.map(async (id) => ({
      networkId: id,
      address: await accounts.bitcoin(id, addresses),
      publicKey: addresses.bip122,
    })),
  )
  return {
    ...described,
    address: preferred?.address ?? addresses.eip155,
    accounts: [...evm],
    preferredAccountType: preferred?.type ?? 'eoa',
    ...(isNew && { isNew }),
    solana: addresses.solana,
    bitcoin,
    ...(smart && (await deployment(accounts, networkId, smart.address, signal))),
  }
}

async function deployment(accounts: Accounts, networkId: CaipNetworkId, address: string, signal: AbortSignal) {
  try {
    return { smartAccountDeployed: await accounts.isDeployed(networkId, address, signal) }
  } catch {
    return {}
  }
}

export function evmChainId(networkId: CaipNetworkId): number {
  return Number(parseCaipNetworkId(networkId).reference)
}
