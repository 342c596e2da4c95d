import { type Hex, isAddress, isHex } from 'viem'
import * as z from 'zod/mini'
import { invalidParams } from './rpc-error'

const Bytes = z.custom<Hex>((value) => isHex(value, { strict: true }), 'expected 0x and hexadecimal characters')
const Quantity = z.custom<Hex>(
  (value) => typeof value === 'string' && /^0x(0|[1-9a-f][0-9a-f]*)$/i.test(value),
  'expected a hexadecimal quantity',
)
const Address = z.custom<Hex>(
  (value) => typeof value === 'string' && isAddress(value, { strict: false }),
  'expected an address',
)

export const PersonalSign = z.tuple([z.string(), Address], z.unknown())
const TypedData = z.looseObject({
  types: z.record(z.string(), z.array(z.object({ name: z.string(), type: z.string() }))),
  primaryType: z.string(),
  /** EIP-712. Some dapps send the chain id as text. */
  domain: z.object({
    name: z.optional(z.string()),
    version: z.optional(z.string()),
    chainId: z.optional(z.pipe(z.union([z.int(), z.string()]), z.transform(Number))),
    verifyingContract: z.optional(Address),
    salt: z.optional(Bytes),
  }),
  message: z.record(z.string(), z.unknown()),
})
export type TypedData = z.infer<typeof TypedData>
export const SignTypedData = z.tuple([Address, z.union([z.string(), TypedData])])
export const Transaction = z.object({
  from: Address,
  to: z.optional(z.nullable(Address)),
  value: z.optional(Quantity),
  data: z.optional(Bytes),
  input: z.optional(Bytes),
  gas: z.optional(Quantity),
  gasPrice: z.optional(Quantity),
  maxFeePerGas: z.optional(Quantity),
  maxPriorityFeePerGas: z.optional(Quantity),
  nonce: z.optional(Quantity),
  chainId: z.optional(Quantity),
})
export const SendTransaction = z.tuple([Transaction])
export const SwitchChain = z.tuple([z.object({ chainId: Quantity })])
export const AddChain = z.tuple([
  z.object({
    chainId: Quantity,
    chainName: z.string().check(z.minLength(1)),
    rpcUrls: z.array(z.url({ protocol: /^https?$/ })).check(z.minLength(1)),
    nativeCurrency: z.object({ name: z.string(), symbol: z.string(), decimals: z.literal(18) }),
  }),
])
export const AccountPermission = z.tuple([z.object({ eth_accounts: z.looseObject({}) })])

/** A mismatch is -32602 with path and reason (EIP-1193). */
export function readParams<S extends z.ZodMiniType>(schema: S, method: string, params: unknown): z.output<S> {
  const parsed = z.safeParse(schema, params)
  if (!parsed.success) throw invalidParams(`Invalid parameters for ${method}: ${z.prettifyError(parsed.error)}`)
  return parsed.data
}

/** Most dapps send JSON text, some an object. */
export function readTypedData(value: string | TypedData): TypedData {
  if (typeof value !== 'string') return value
  let json: unknown
  try {
    json = JSON.parse(value)
  } catch {
    throw invalidParams('Invalid parameters for eth_signTypedData_v4: the typed data is not JSON.')
  }
  return readParams(TypedData, 'eth_signTypedData_v4', json)
}

/** Methods forwarded to the node unchanged. */
export const nodeMethods: ReadonlySet<string> = new Set([
  'eth_blockNumber',
  'eth_call',
  'eth_createAccessList',
  'eth_estimateGas',
  'eth_feeHistory',
  'eth_gasPrice',
  'eth_getBalance',
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_getBlockReceipts',
  'eth_getBlockTransactionCountByHash',
  'eth_getBlockTransactionCountByNumber',
  'eth_getCode',
  'eth_getFilterChanges',
  'eth_getFilterLogs',
  'eth_getLogs',
  'eth_getProof',
  'eth_getStorageAt',
  'eth_getTransactionByHash',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
  'eth_maxPriorityFeePerGas',
  'eth_newBlockFilter',
  'eth_newFilter',
  'eth_sendRawTransaction',
  'eth_syncing',
  'eth_uninstallFilter',
  'web3_clientVersion',
])
