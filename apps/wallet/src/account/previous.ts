import {
  builtInNetworks,
  type CaipNetworkId,
  namespaceOf,
  type PreviousWallet,
  type WalletAddresses,
} from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { Accounts } from '../signing/accounts'
import type { Networks } from '../signing/networks'
import type { Wallet } from '../wallet'

export type PreviousOptions = {
  readonly wallet: Pick<Wallet, 'open'>
  readonly previous: Pick<Wallet, 'find'>
  readonly networks: Networks
  readonly accounts: Accounts
  readonly networkIds: readonly CaipNetworkId[]
}

const refused: ReadonlySet<string> = new Set(['WALLET_NOT_REPORTED', 'WALLET_ADDRESSES_CHANGED', 'WALLET_ROLLED_BACK'])

/** The previous wallet's accounts, each with the new account to send to. */
export async function describePrevious(options: PreviousOptions, signal: AbortSignal): Promise<PreviousWallet | null> {
  const found = await options.previous.find().catch((thrown: unknown) => {
    if (thrown instanceof Failure && refused.has(thrown.code)) return null
    throw thrown
  })
  if (found === null || found.recovery === null) return null
  const { locked, addresses } = found
  if (locked !== null || addresses === null) return { locked, accounts: [] }
  const { addresses: own } = await options.wallet.open()
  return { locked, accounts: await accountsOf(options, { from: addresses, to: own }, signal) }
}

type Move = { readonly from: WalletAddresses; readonly to: WalletAddresses }

async function accountsOf(
  { networks, accounts, networkIds }: PreviousOptions,
  { from, to }: Move,
  signal: AbortSignal,
): Promise<PreviousWallet['accounts']> {
  const all = [...new Set([...networkIds, ...Object.values(builtInNetworks).map(({ id }) => id)])]
  const of = (namespace: string) => all.filter((id) => namespaceOf(id) === namespace)
  const evm = of('eip155')
  const smart = evm.filter(networks.hasSmartAccounts)
  const [first] = smart
  const contracts =
    first === undefined
      ? null
      : await Promise.all([from, to].map((addresses) => accounts.smartAccount(first, addresses, signal)))
  const bitcoin = of('bip122').map(async (id) => ({
    address: await accounts.bitcoin(id, from),
    to: await accounts.bitcoin(id, to),
    type: 'eoa' as const,
    networkIds: [id],
  }))
  const [old, next] = contracts ?? []
  return [
    ...(old && next ? [{ address: old, to: next, type: 'smartAccount' as const, networkIds: smart }] : []),
    { address: from.eip155, to: to.eip155, type: 'eoa', networkIds: evm },
    { address: from.solana, to: to.solana, type: 'eoa', networkIds: of('solana') },
    ...(await Promise.all(bitcoin)),
  ]
}
