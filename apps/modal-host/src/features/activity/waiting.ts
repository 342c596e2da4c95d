import { formatUnits } from '@postern/chains/format'
import { limits, type Network, parseCaipNetworkId, type WaitingTransaction } from '@postern/protocol'
import { plainText } from '@postern/ui/plain-text'
import type { ActivityEntry } from './describe'

/**
 * Adds the wallet's waiting transactions to the entries.
 *
 * 1. Each transaction appears once, under the hash of its last replacement. A user operation has no hash: explorers do
 *    not know it.
 * 2. An entry that the chain has decided stays: the wallet may not know yet.
 */
export function withWaiting(
  entries: readonly ActivityEntry[],
  waiting: readonly WaitingTransaction[],
  networks: readonly Network[],
): readonly ActivityEntry[] {
  const isOf = ({ networkId, hash, newest }: WaitingTransaction, entry: ActivityEntry) =>
    entry.networkId === networkId &&
    (isSameHash(entry.hash, hash) || isSameHash(entry.hash, newest) || isSameHash(operationOf(entry), hash))
  const undecided = waiting.filter((one) => !entries.some((entry) => isOf(one, entry) && entry.status !== 'pending'))
  const entryOf = (one: WaitingTransaction) => entries.find((entry) => isOf(one, entry))
  return [
    ...undecided.map((one) => ({
      ...(entryOf(one) ??
        entryOfWaiting(
          one,
          networks.find(({ caipNetworkId }) => caipNetworkId === one.networkId),
        )),
      hash: one.isOperation === true ? null : one.newest,
      waiting: one,
    })),
    ...entries.filter((entry) => !undecided.some((one) => isOf(one, entry))),
  ]
}

function entryOfWaiting(one: WaitingTransaction, network: Network | undefined): ActivityEntry {
  const { hash, networkId, to, value, isPlain, sentAt } = one
  const { decimals = limits.nativeDecimals[parseCaipNetworkId(networkId).namespace], symbol = '' } =
    network?.nativeCurrency ?? {}
  const decimal = formatUnits(BigInt(value), decimals, limits.transferDecimals)
  return {
    id: hash,
    networkId,
    hash,
    at: sentAt ?? null,
    status: 'pending',
    operation: isPlain ? 'send' : to === undefined ? 'deploy' : 'execute',
    amounts: value === '0' ? [] : [{ sign: '', decimal, unit: plainText(symbol, 16) }],
    party: to === undefined ? null : { kind: 'to', address: plainText(to, 128) },
    picture: undefined,
    isSpam: false,
  }
}

/** The id of a batch that the embedded wallet sent as an operation begins with its hash. */
function operationOf({ callsId }: ActivityEntry): string | null {
  return callsId?.slice(0, 66) ?? null
}

function isSameHash(one: string | null, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase()
}
