/** Source: https://docs.etherscan.io/api-reference/endpoint/txlist */
import { type Address, createPublicClient, decodeEventLog, type Hex, http, parseAbi } from 'viem'
import type { Landed, Scanner } from './scan'

const transferEvents = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)'])
const collectibleEvents = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
])
const itemEvents = parseAbi([
  'event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)',
  'event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)',
])
const tokenAbi = parseAbi([
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
])

export const actions = ['txlist', 'tokentx', 'tokennfttx', 'token1155tx'] as const
export type Action = (typeof actions)[number]

type Transfer = {
  readonly landed: Landed
  readonly contract: Address
  readonly from: Address
  readonly to: Address
} & (
  | { readonly kind: 'token'; readonly value: bigint }
  | { readonly kind: 'collectible'; readonly id: bigint }
  | { readonly kind: 'item'; readonly id: bigint; readonly value: bigint }
)

export type Explorer = {
  /** Oldest first. `contract` filters token transfers. */
  rows(action: Action, account: Address, contract: Address | null): Promise<readonly Record<string, string>[]>
}

export function createExplorer(rpcUrl: string, scanner: Scanner): Explorer {
  const node = createPublicClient({ transport: http(rpcUrl, { batch: true }) })
  const known = new Map<Address, Promise<{ name: string; symbol: string; decimals: string }>>()
  function tokenAt(address: Address) {
    const read = (functionName: 'name' | 'symbol' | 'decimals') =>
      node.readContract({ abi: tokenAbi, address, functionName }).then(
        (value) => `${value}`,
        () => '',
      )
    const result =
      known.get(address) ??
      Promise.all([read('name'), read('symbol'), read('decimals')]).then(([name, symbol, decimals]) => ({
        name,
        symbol,
        decimals,
      }))
    known.set(address, result)
    return result
  }

  return {
    async rows(action, account, contract) {
      const all = await scanner.read()
      const head = all.at(-1)?.blockNumber ?? 0
      const common = (landed: Landed) => ({
        blockNumber: `${landed.blockNumber}`,
        timeStamp: `${landed.timestamp}`,
        hash: landed.hash,
        nonce: `${landed.nonce}`,
        blockHash: landed.blockHash,
        transactionIndex: `${landed.transactionIndex}`,
        gas: `${landed.gas}`,
        gasPrice: `${landed.effectiveGasPrice}`,
        gasUsed: `${landed.gasUsed}`,
        cumulativeGasUsed: `${landed.cumulativeGasUsed}`,
        confirmations: `${head - landed.blockNumber + 1}`,
      })
      if (action === 'txlist')
        return all
          .filter(({ from, to, contractAddress }) => [from, to, contractAddress].includes(account))
          .map((landed) => ({
            ...common(landed),
            from: landed.from,
            to: landed.to ?? '',
            value: `${landed.value}`,
            isError: landed.status === '0x1' ? '0' : '1',
            txreceipt_status: landed.status === '0x1' ? '1' : '0',
            input: landed.input,
            methodId: landed.input.slice(0, 10),
            functionName: '',
            contractAddress: landed.contractAddress ?? '',
          }))
      const kind = action === 'tokentx' ? 'token' : action === 'tokennfttx' ? 'collectible' : 'item'
      const wanted = all
        .flatMap(transfersOf)
        .filter(
          (transfer) =>
            transfer.kind === kind &&
            [transfer.from, transfer.to].includes(account) &&
            (contract === null || transfer.contract === contract),
        )
      return await Promise.all(
        wanted.map(async (transfer) => {
          const { name, symbol, decimals } = await tokenAt(transfer.contract)
          return {
            ...common(transfer.landed),
            from: transfer.from,
            contractAddress: transfer.contract,
            to: transfer.to,
            tokenName: name,
            tokenSymbol: symbol,
            input: 'deprecated',
            ...(transfer.kind === 'token' && { value: `${transfer.value}`, tokenDecimal: decimals }),
            ...(transfer.kind === 'collectible' && { tokenID: `${transfer.id}`, tokenDecimal: '0' }),
            ...(transfer.kind === 'item' && { tokenID: `${transfer.id}`, tokenValue: `${transfer.value}` }),
          }
        }),
      )
    },
  }
}

const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** ERC-20 and ERC-721 share an event; ERC-721 indexes its third argument too. */
function transfersOf(landed: Landed): Transfer[] {
  return landed.logs.flatMap(({ address: contract, topics, data }): Transfer[] => {
    const [signature, ...indexed] = topics
    if (signature === undefined) return []
    const log = { topics: [signature, ...indexed] satisfies [Hex, ...Hex[]], data, strict: true } as const
    const of = (from: Address, to: Address) => ({ landed, contract, from: lower(from), to: lower(to) })
    try {
      if (signature === transferTopic && topics.length === 4) {
        const { from, to, tokenId } = decodeEventLog({ abi: collectibleEvents, ...log }).args
        return [{ kind: 'collectible', ...of(from, to), id: tokenId }]
      }
      if (signature === transferTopic && topics.length === 3) {
        const { from, to, value } = decodeEventLog({ abi: transferEvents, ...log }).args
        return [{ kind: 'token', ...of(from, to), value }]
      }
      const item = decodeEventLog({ abi: itemEvents, ...log })
      const { from, to } = item.args
      if (item.eventName === 'TransferSingle')
        return [{ kind: 'item', ...of(from, to), id: item.args.id, value: item.args.value }]
      const { ids, values } = item.args
      return ids.map((id, index) => ({ kind: 'item', ...of(from, to), id, value: values[index] ?? 0n }))
    } catch {
      // Another event, or malformed.
      return []
    }
  })
}

const lower = (address: Address): Address => `0x${address.slice(2).toLowerCase()}`
