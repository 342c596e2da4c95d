import {
  createClient,
  custom,
  defineChain,
  formatEther,
  type Hex,
  hexToBigInt,
  hexToNumber,
  http,
  type LocalAccount,
} from 'viem'
import { prepareTransactionRequest, sendRawTransaction, signTransaction } from 'viem/actions'
import type * as z from 'zod/mini'
import type { WalletNetwork } from './options'
import type { Transaction } from './requests'

export type NodeConnection = { request(method: string, params: unknown): Promise<unknown> }

/** No retries: a wallet passes on the node's answer. */
export function connectNode({ rpcUrl }: WalletNetwork): NodeConnection {
  const transport = http(rpcUrl, { retryCount: 0 })({})
  return { request: (method, params) => transport.request({ method, params }) }
}

export type PreparedTransaction = {
  /** Shown to the user. */
  readonly rows: readonly { readonly label: string; readonly value: string }[]
  readonly data: Hex | undefined
  /** Signs exactly what `rows` shows. */
  send(): Promise<Hex>
}

/** Throws the node's error if the transaction would revert. */
export async function prepareTransaction(
  node: NodeConnection,
  account: LocalAccount,
  chainId: number,
  transaction: z.infer<typeof Transaction>,
): Promise<PreparedTransaction> {
  const request = ({ method, params }: { method: string; params?: unknown }) => node.request(method, params ?? [])
  const chain = defineChain({
    id: chainId,
    name: `Chain ${chainId}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [] } },
  })
  const client = createClient({ account, chain, transport: custom({ request }, { retryCount: 0 }) })
  const { to, data = transaction.input, value, gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas, nonce } = transaction
  const fees =
    gasPrice !== undefined
      ? { gasPrice: hexToBigInt(gasPrice) }
      : {
          ...(maxFeePerGas && { maxFeePerGas: hexToBigInt(maxFeePerGas) }),
          ...(maxPriorityFeePerGas && { maxPriorityFeePerGas: hexToBigInt(maxPriorityFeePerGas) }),
        }
  const prepared = await prepareTransactionRequest(client, {
    to: to ?? null,
    value: value === undefined ? 0n : hexToBigInt(value),
    ...(data && { data }),
    ...(gas && { gas: hexToBigInt(gas) }),
    ...(nonce && { nonce: hexToNumber(nonce) }),
    ...fees,
  })
  // The next block may need more gas than the last, from which the node estimates.
  if (gas === undefined && data !== undefined) prepared.gas = (prepared.gas * 12n) / 10n
  const cost = prepared.gas * (prepared.maxFeePerGas ?? prepared.gasPrice ?? 0n)
  return {
    data,
    rows: [
      { label: 'From', value: account.address },
      { label: 'To', value: to ?? 'a new contract' },
      { label: 'Amount', value: `${formatEther(prepared.value ?? 0n)} ETH` },
      { label: 'Network fee, at most', value: `${formatEther(cost)} ETH` },
    ],
    async send() {
      const serializedTransaction = await signTransaction(client, prepared)
      return await sendRawTransaction(client, { serializedTransaction })
    },
  }
}
