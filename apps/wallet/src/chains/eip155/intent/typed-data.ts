/**
 * EIP-712: permits as allowances, orders of known exchanges as trades, wrapped calls as calls, the rest field by field.
 * What a reader understood in full is marked (`isRead`). Anything else may move what its contract can reach.
 */

import { permit2, tokenAmount } from '@postern/chains/eip155/decode-call'
import { isSameAddress } from '@postern/chains/same-address'
import * as z from 'zod/mini'
import type { Field, IntentStep } from '../../../intent/intent'
import { readOrders } from './orders'
import { Address, Uint } from './values'
import { membersOf, readSafeTx, readWrapped, type Signing, type Types } from './wrapped-calls'

const TypedData = z.object({
  types: z.record(z.string(), z.array(z.object({ name: z.string(), type: z.string() }))),
  primaryType: z.string(),
  domain: z.record(z.string(), z.unknown()),
  message: z.record(z.string(), z.unknown()),
})

/** EIP-2612. */
const Permit = z.object({ spender: Address, value: Uint, deadline: Uint })
/** DAI's own: all or nothing. */
const DaiPermit = z.object({ spender: Address, expiry: Uint, allowed: z.boolean() })
/** Permit2. Source: https://github.com/Uniswap/permit2 */
const Details = z.object({ token: Address, amount: Uint, expiration: Uint })
const Permit2 = z.object({ details: z.union([Details, z.array(Details)]), spender: Address, sigDeadline: Uint })
const Permitted = z.object({ token: Address, amount: Uint })
const PermitTransfer = z.object({
  permitted: z.union([Permitted, z.array(Permitted)]),
  spender: Address,
  deadline: Uint,
})

const maxDepth = 8
const maxTextLength = 200

export function readTypedData(json: string, signing: Signing): readonly IntentStep[] | null {
  const parsed = parse(json)
  if (parsed === null) return null
  const { types, primaryType, domain: domainFields, message } = parsed
  const domain = Object.entries(domainFields).map(([name, value]) => ({ name, value: textOf(value) }))
  const unread = {
    kind: 'typedData',
    primaryType,
    domain,
    fields: fieldsOf(types, primaryType, message, 0),
  } as const
  const contract = Address.safeParse(domainFields.verifyingContract)
  if (!contract.success) return [unread]
  const of = { types, primaryType, message, contract: contract.data }
  const orders = readOrders(of, signing)
  const permit = readPermit(primaryType, contract.data, message) ?? []
  // A witness's permit allows more than its order says.
  if (orders?.kind === 'kept') {
    const steps = orders.orders.map((order) => ({ kind: 'order', ...order, contract: contract.data }) as const)
    return [...permit, ...steps, { ...unread, isRead: true }]
  }
  if (permit.length > 0) {
    if (isSummarized(types, primaryType) && isEnforced(primaryType, contract.data))
      return permit.map((step, index) => (index === 0 ? { ...step, domain } : step))
    return [...permit, { ...unread, ...(orders !== null && { isPromise: true }) }]
  }
  const wrapped = primaryType === 'SafeTx' ? readSafeTx(of, signing) : readWrapped(of, signing)
  if (wrapped !== null) {
    const { steps, isRead, expiry } = wrapped
    return [...steps, { ...unread, ...(isRead && { isRead }), ...(expiry !== undefined && { expiry }) }]
  }
  return [{ ...unread, ...(orders !== null && { isPromise: true }) }]
}

/** A permit's steps show every member of these types; other types are also shown by member. */
const summarized: Readonly<Record<string, readonly string[]>> = {
  Permit: [
    'address owner,address spender,uint256 value,uint256 nonce,uint256 deadline',
    'address holder,address spender,uint256 nonce,uint256 expiry,bool allowed',
  ],
  PermitSingle: ['PermitDetails details,address spender,uint256 sigDeadline'],
  PermitBatch: ['PermitDetails[] details,address spender,uint256 sigDeadline'],
  PermitTransferFrom: ['TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline'],
  PermitBatchTransferFrom: ['TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline'],
  PermitDetails: ['address token,uint160 amount,uint48 expiration,uint48 nonce'],
  TokenPermissions: ['address token,uint256 amount'],
}

function isSummarized(types: Types, primaryType: string): boolean {
  const reached = [primaryType, ...(types[primaryType] ?? []).map(({ type }) => type.replace(/\[\d*\]$/, ''))]
  return reached
    .filter((type) => Object.hasOwn(types, type))
    .every((type) => (summarized[type] ?? []).includes(membersOf(types, type)))
}

/** In other contracts, Permit2's forms may mean anything. */
function isEnforced(primaryType: string, contract: string): boolean {
  return primaryType === 'Permit' || isSameAddress(contract, permit2)
}

export const cut = '…'

function parse(json: string): z.infer<typeof TypedData> | null {
  try {
    const parsed = TypedData.safeParse(JSON.parse(json))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

type PermitStep = Extract<IntentStep, { kind: 'permit' }>
type Times = { readonly deadline: bigint; readonly expiry?: number }

/** A token's own allowance ends when the spender has used it. */
const never = Number.POSITIVE_INFINITY

function readPermit(primaryType: string, contract: string, message: unknown): readonly PermitStep[] | null {
  const step = (spender: string, token: string, raw: bigint, { deadline, ...times }: Times): PermitStep => ({
    kind: 'permit',
    spender,
    amount: tokenAmount(token, raw),
    deadline: Number(deadline),
    ...times,
  })
  if (primaryType === 'Permit') {
    const usual = Permit.safeParse(message)
    if (usual.success) {
      const { spender, value, deadline } = usual.data
      return [step(spender, contract, value, { deadline, ...(value > 0n && { expiry: never }) })]
    }
    const dai = DaiPermit.safeParse(message)
    if (dai.success) {
      const { spender, allowed, expiry } = dai.data
      // DAI takes 0 as no end.
      const deadline = expiry === 0n ? BigInt(Number.MAX_SAFE_INTEGER) : expiry
      if (!allowed) return [step(spender, contract, 0n, { deadline })]
      return [step(spender, contract, 2n ** 256n - 1n, { deadline, expiry: never })]
    }
  }
  if (primaryType === 'PermitSingle' || primaryType === 'PermitBatch') {
    const permit = Permit2.safeParse(message)
    if (permit.success) {
      const { details, spender, sigDeadline: deadline } = permit.data
      // Expiration 0: for the block of the signature's transaction.
      return [details]
        .flat()
        .map(({ token, amount, expiration }) =>
          step(spender, token, amount, { deadline, ...(expiration > 0n && { expiry: Number(expiration) }) }),
        )
    }
  }
  if (primaryType.startsWith('Permit') && primaryType.includes('TransferFrom')) {
    const permit = PermitTransfer.safeParse(message)
    if (permit.success) {
      const { permitted, spender, deadline } = permit.data
      // An amount of 0 revokes nothing here.
      if ([permitted].flat().every(({ amount }) => amount === 0n)) return null
      return [permitted].flat().map(({ token, amount }) => step(spender, token, amount, { deadline }))
    }
  }
  return null
}

/** Omits unsigned fields. */
function fieldsOf(types: Types, type: string, value: unknown, depth: number): readonly Field[] {
  const members = Object.hasOwn(types, type) ? types[type] : undefined
  if (members === undefined) return [{ name: '', value: textOf(value), type }]
  if (depth > maxDepth) return [{ name: cut, value: textOf(value), type }]
  const record =
    typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : new Map<string, unknown>()
  return shortened(members, ({ name, type: of }) => fieldOf(types, name, of, record.get(name), depth + 1))
}

function shortened<T>(all: readonly T[], draw: (one: T, index: number) => Field): readonly Field[] {
  const shown = all.slice(0, maxTextLength).map(draw)
  return all.length > maxTextLength ? [...shown, { name: cut, value: `+${all.length - maxTextLength}` }] : shown
}

function fieldOf(types: Types, name: string, type: string, value: unknown, depth: number): Field {
  const item = /^(.*)\[\d*\]$/.exec(type)?.[1]
  if (item !== undefined && Array.isArray(value) && depth <= maxDepth)
    return {
      name,
      type,
      value: shortened<unknown>(value, (one, index) => fieldOf(types, `${index + 1}`, item, one, depth + 1)),
    }
  return { name, type, value: Object.hasOwn(types, type) ? fieldsOf(types, type, value, depth) : textOf(value) }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
