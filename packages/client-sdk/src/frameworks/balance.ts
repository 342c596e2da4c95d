import { namespaceFacts } from '@postern/protocol/namespaces/facts'
import type { Namespace, NativeCurrency, Postern } from '../types/index'

export type Balance = {
  readonly status: 'success' | 'error'
  /** Base units. */
  readonly value?: bigint | undefined
  /** Decimal. */
  readonly formatted?: string | undefined
  readonly error?: unknown
}

/** Never rejects. */
export async function readBalance(
  postern: Pick<Postern, Namespace>,
  namespace: Namespace,
  address: string,
  currency: NativeCurrency | undefined,
): Promise<Balance> {
  try {
    const value = await balanceOf(postern, namespace, address)
    return { status: 'success', value, formatted: currency && formatUnits(value, currency.decimals) }
  } catch (error) {
    return { status: 'error', error }
  }
}

async function balanceOf(postern: Pick<Postern, Namespace>, namespace: Namespace, address: string): Promise<bigint> {
  const { method, params, member } = namespaceFacts[namespace].balance
  const answer = await postern[namespace].request<unknown>({ method, params: params(address) })
  return BigInt(String(member === undefined ? answer : Reflect.get(Object(answer), member)))
}

function formatUnits(value: bigint, decimals: number): string {
  const digits = value.toString().padStart(decimals + 1, '0')
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return digits.slice(0, digits.length - decimals) + (fraction === '' ? '' : `.${fraction}`)
}
