/** EIP-712: permits as allowances, orders of known exchanges as trades, the rest field by field. */

import { tokenAmount } from '@postern/chains/eip155-decode-call'
import * as z from 'zod/mini'
import { Address, Uint } from './evm-values'
import type { DescribeContext, Field, IntentStep } from './intent'
import { readOrders } from './orders'

const Types = z.record(z.string(), z.array(z.object({ name: z.string(), type: z.string() })))
const TypedData = z.object({
  types: Types,
  primaryType: z.string(),
  domain: z.record(z.string(), z.unknown()),
  message: z.record(z.string(), z.unknown()),
})
type Types = z.infer<typeof Types>

/** EIP-2612. */
const Permit = z.object({ spender: Address, value: Uint, deadline: Uint })
/** DAI's own: all or nothing. */
const DaiPermit = z.object({ spender: Address, expiry: Uint, allowed: z.boolean() })
/** Permit2. Source: https://github.com/Uniswap/permit2 */
const Details = z.object({ token: Address, amount: Uint, expiration: Uint })
const Permit2 = z.object({ details: z.union([Details, z.array(Details)]), spender: Address })
const Permitted = z.object({ token: Address, amount: Uint })
const PermitTransfer = z.object({
  permitted: z.union([Permitted, z.array(Permitted)]),
  spender: Address,
  deadline: Uint,
})

/** As much as a user would read; the raw view has the rest. */
const deepest = 8
const maxTextLength = 200

/** Null for other text. `owner` signs. */
export function readTypedData(
  json: string,
  signing: { readonly owner: string; readonly native: DescribeContext['nativeCurrency'] },
): readonly IntentStep[] | null {
  const parsed = parse(json)
  if (parsed === null) return null
  const { types, primaryType, domain, message } = parsed
  const fallback: IntentStep = {
    kind: 'typedData',
    primaryType,
    domain: Object.entries(domain).map(([name, value]) => ({ name, value: textOf(value) })),
    fields: fieldsOf(types, primaryType, message, 0),
  }
  const contract = Address.safeParse(domain.verifyingContract)
  const orders = contract.success ? readOrders(primaryType, message, signing) : null
  const permit = readPermit(primaryType, domain, message) ?? []
  // The permit of a witness allows more than its order says. Every signed member stays in view.
  if (orders !== null && contract.success)
    return [
      ...permit,
      ...orders.map((order) => ({ kind: 'order', ...order, contract: contract.data }) as const),
      fallback,
    ]
  if (permit.length === 0) return [fallback]
  return saysMore(types, primaryType) ? [...permit, fallback] : permit
}

/**
 * Covered by a permit's steps. A type with other members (Permit2's witness, an order) is also shown member by member.
 */
const summarized: ReadonlyMap<string, readonly string[]> = new Map([
  ['Permit', ['owner', 'spender', 'value', 'nonce', 'deadline', 'holder', 'expiry', 'allowed']],
  ['PermitSingle', ['details', 'spender', 'sigDeadline']],
  ['PermitBatch', ['details', 'spender', 'sigDeadline']],
  ['PermitTransferFrom', ['permitted', 'spender', 'nonce', 'deadline']],
  ['PermitBatchTransferFrom', ['permitted', 'spender', 'nonce', 'deadline']],
  ['PermitDetails', ['token', 'amount', 'expiration', 'nonce']],
  ['TokenPermissions', ['token', 'amount']],
])

function saysMore(types: Types, primaryType: string): boolean {
  const reached = [primaryType, ...(types[primaryType] ?? []).map(({ type }) => type.replace(/\[\d*\]$/, ''))]
  return reached
    .filter((type) => Object.hasOwn(types, type))
    .some((type) => (types[type] ?? []).some(({ name }) => !(summarized.get(type) ?? []).includes(name)))
}

/** Marks omitted content. */
export const cut = '…'

function parse(json: string): z.infer<typeof TypedData> | null {
  try {
    const parsed = TypedData.safeParse(JSON.parse(json))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

function readPermit(
  primaryType: string,
  domain: Readonly<Record<string, unknown>>,
  message: unknown,
): readonly IntentStep[] | null {
  const contract = Address.safeParse(domain.verifyingContract)
  if (!contract.success) return null
  const step = (spender: string, token: string, raw: bigint, expiry: bigint): IntentStep => ({
    kind: 'permit',
    spender,
    amount: tokenAmount(token, raw),
    expiry: Number(expiry),
  })
  if (primaryType === 'Permit') {
    const usual = Permit.safeParse(message)
    if (usual.success) return [step(usual.data.spender, contract.data, usual.data.value, usual.data.deadline)]
    const dai = DaiPermit.safeParse(message)
    if (dai.success) {
      const { spender, allowed, expiry } = dai.data
      return [step(spender, contract.data, allowed ? 2n ** 256n - 1n : 0n, expiry)]
    }
  }
  if (primaryType === 'PermitSingle' || primaryType === 'PermitBatch') {
    const permit = Permit2.safeParse(message)
    if (permit.success)
      return [permit.data.details]
        .flat()
        .map(({ token, amount, expiration }) => step(permit.data.spender, token, amount, expiration))
  }
  if (primaryType.startsWith('Permit') && primaryType.includes('TransferFrom')) {
    const permit = PermitTransfer.safeParse(message)
    if (permit.success)
      return [permit.data.permitted]
        .flat()
        .map(({ token, amount }) => step(permit.data.spender, token, amount, permit.data.deadline))
  }
  return null
}

/** Only members that the types name: others are not signed. */
function fieldsOf(types: Types, type: string, value: unknown, depth: number): readonly Field[] {
  const members = Object.hasOwn(types, type) ? types[type] : undefined
  if (members === undefined) return [{ name: '', value: textOf(value), type }]
  if (depth > deepest) return [{ name: cut, value: textOf(value), type }]
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
  if (item !== undefined && Array.isArray(value) && depth <= deepest)
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
