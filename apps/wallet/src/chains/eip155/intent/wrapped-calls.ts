/**
 * Signatures that a contract carries out as a transfer or call of the owner, at any time and for anyone who has them.
 * Read only if the types are exactly the standard's.
 */
import { type CallContext, tokenAmount } from '@postern/chains/eip155/decode-call'
import { isSameAddress } from '@postern/chains/same-address'
import type { CaipNetworkId } from '@postern/protocol'
import * as z from 'zod/mini'
import type { IntentStep } from '../../../intent/intent'
import { readCalls, readDelegateCall } from './nested-calls'
import { Address, Uint } from './values'

export type Types = Readonly<Record<string, readonly { readonly name: string; readonly type: string }[]>>

/** `contract` verifies the signature. */
export type Signed = {
  readonly types: Types
  readonly primaryType: string
  readonly message: unknown
  readonly contract: string
}

export type Signing = Omit<CallContext, 'from'> & { readonly owner: string; readonly networkId: CaipNetworkId }

/** `isRead`: the steps show all that the signature can do. `expiry`: epoch seconds, infinite without an end. */
export type Wrapped = { readonly steps: readonly IntentStep[]; readonly isRead: boolean; readonly expiry?: number }

const Data = z.string().check(z.regex(/^0x(?:[0-9a-fA-F]{2})*$/))
const Authorization = z.object({ from: Address, to: Address, value: Uint, validBefore: Uint })
const MetaTransaction = z.object({ from: Address, functionSignature: Data })
const Forward = z.object({ from: Address, to: Address, value: z.optional(Uint), data: Data })
const Ends = z.object({
  deadline: z.optional(Uint),
  validUntil: z.optional(Uint),
  validUntilTime: z.optional(Uint),
})
const SafeTx = z.object({
  to: Address,
  value: Uint,
  data: Data,
  operation: Uint,
  gasPrice: Uint,
})

const authorization = 'address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce'
const safeTx =
  'address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,uint256 nonce'
const forwardTypes = ['ForwardRequest', 'RelayRequest', 'ERC20ForwardRequest']
/** Fields that only limit when a forwarder's request is valid. */
const harmless = new Set(['gas', 'nonce', 'deadline', 'validUntil', 'validUntilTime', 'batchId', 'batchNonce', 'txGas'])

/** EIP-3009, Biconomy's MetaTransaction, ERC-2771. Null if another account must sign. */
export function readWrapped(
  { types, primaryType, message, contract }: Signed,
  { owner, networkId: _, ...context }: Signing,
): Wrapped | null {
  const isOf = (members: string) => membersOf(types, primaryType) === members
  if (primaryType === 'TransferWithAuthorization' || primaryType === 'ReceiveWithAuthorization') {
    const read = Authorization.safeParse(message)
    if (!read.success || !isOf(authorization) || !isSameAddress(read.data.from, owner)) return null
    const { to, value, validBefore } = read.data
    const amount = tokenAmount(contract, value)
    return { steps: [{ kind: 'transfer', to, amount, deadline: Number(validBefore) }], isRead: true }
  }
  // Only takes back an unused authorization.
  if (primaryType === 'CancelAuthorization')
    return isOf('address authorizer,bytes32 nonce') ? { steps: [], isRead: true } : null
  if (primaryType === 'MetaTransaction') {
    const read = MetaTransaction.safeParse(message)
    if (!read.success || !isOf('uint256 nonce,address from,bytes functionSignature')) return null
    const { from, functionSignature: data } = read.data
    if (!isSameAddress(from, owner)) return null
    const steps = readCalls({ to: contract, value: '0', data }, { ...context, from })
    return { steps, isRead: true, expiry: Number.POSITIVE_INFINITY }
  }
  if (forwardTypes.includes(primaryType)) {
    const read = Forward.safeParse(message)
    if (!read.success || !isSameAddress(read.data.from, owner)) return null
    const { from, to, value = 0n, data } = read.data
    const others = (types[primaryType] ?? []).filter(({ name }) => !['from', 'to', 'value', 'data'].includes(name))
    const isRead = others.every(({ name, type }) => harmless.has(name) && /^uint\d+$/.test(type))
    return { steps: readCalls({ to, value: `${value}`, data }, { ...context, from }), isRead, expiry: endOf(message) }
  }
  return null
}

/** Some forwarders take 0 as no end. */
function endOf(message: unknown): number {
  const { data = {} } = Ends.safeParse(message)
  const ends = Object.values(data).flatMap((end) => (end === undefined || end === 0n ? [] : [Number(end)]))
  return Math.min(...ends, Number.POSITIVE_INFINITY)
}

/**
 * A transaction of another Safe that the owner signs for.
 *
 * 1. A plain call is read as a call by the Safe.
 * 2. With operation 1 the Safe runs the other contract's code as its own.
 * 3. A refund of gas pays an unknown amount to anyone, so it is not read.
 * 4. It has no end but another transaction with its nonce.
 */
export function readSafeTx(
  { types, primaryType, message, contract }: Signed,
  { owner: _owner, networkId: _, ...context }: Signing,
): Wrapped | null {
  const read = SafeTx.safeParse(message)
  if (!read.success || membersOf(types, primaryType) !== safeTx) return null
  const { to, value, data, operation, gasPrice } = read.data
  const isRead = gasPrice === 0n
  const call = { to, value: `${value}`, data }
  const readInner = operation === 0n ? readCalls : operation === 1n ? readDelegateCall : null
  if (readInner === null) return null
  const steps = readInner(call, { ...context, from: contract, isSmart: true })
  return { steps, isRead, expiry: Number.POSITIVE_INFINITY }
}

/** In the order of EIP-712's encodeType. */
export function membersOf(types: Types, type: string): string {
  return (types[type] ?? []).map(({ name, type: of }) => `${of} ${name}`).join(',')
}
