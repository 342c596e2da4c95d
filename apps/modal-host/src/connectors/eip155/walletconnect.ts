import { methodsThat, TransactionHash } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import * as z from 'zod/mini'
import type { Dialect } from '../walletconnect/dialects/dialect'
import { plainAddresses } from '../walletconnect/dialects/plain-addresses'
import { grantNetwork } from './walletconnect-switch'

/** Reads never go to the phone. */
const methods: readonly string[] = [
  ...methodsThat(({ namespace, risk }) => namespace === 'eip155' && risk === 'notSafe'),
  'wallet_switchEthereumChain',
  'wallet_addEthereumChain',
  'wallet_getCapabilities',
  'wallet_getCallsStatus',
  'wallet_getAssets',
]

const Hex = z.string().check(z.maxLength(1_048_576), z.regex(/^0x[0-9a-fA-F]*$/))
const results: ReadonlyMap<string, z.ZodMiniType> = new Map<string, z.ZodMiniType>([
  ['eth_sendTransaction', TransactionHash],
  ['personal_sign', Hex],
  ['eth_signTypedData_v4', Hex],
])

/** Saves a request to the phone (EIP-5792). Source: CAIP-372. */
const Properties = z.object({ capabilities: z.string().check(z.maxLength(65_536)) })

export const eip155Dialect: Dialect = {
  methods,
  events: ['chainChanged', 'accountsChanged'],
  addresses: plainAddresses('eip155'),
  compositions: new Map(),
  namesNetwork: false,
  referenceOf: toNumber,

  localAnswer(method, { accounts, networkId, properties }) {
    if (method === 'eth_accounts' || method === 'eth_requestAccounts') return accounts.map(({ address }) => address)
    if (method === 'eth_chainId') return `0x${Number(networkId.split(':')[1]).toString(16)}`
    return method === 'wallet_getCapabilities' ? toldCapabilities(properties) : undefined
  },

  toWire(method, params) {
    if (!methods.includes(method)) throw new Failure('UNSUPPORTED_METHOD')
    const schema = results.get(method)
    return { method, params: params ?? [], read: (result) => (schema === undefined ? result : parse(schema, result)) }
  },

  async grantNetwork(missing) {
    const { addChainParameters } = await import('./chain-parameters')
    await grantNetwork(missing, addChainParameters)
  },
}

function toNumber(chain: string | number): number {
  return typeof chain === 'number' || /^(0x[0-9a-f]{1,13}|[0-9]{1,16})$/i.test(chain) ? Number(chain) : Number.NaN
}

function toldCapabilities(properties: unknown): unknown {
  const parsed = Properties.safeParse(properties)
  if (!parsed.success) return undefined
  try {
    const capabilities = z.record(z.string(), z.unknown()).safeParse(JSON.parse(parsed.data.capabilities))
    return capabilities.success ? capabilities.data : undefined
  } catch {
    return undefined
  }
}

function parse(schema: z.ZodMiniType, result: unknown): unknown {
  const parsed = schema.safeParse(result)
  if (!parsed.success) throw new Failure('INTERNAL', { cause: parsed.error })
  return parsed.data
}
