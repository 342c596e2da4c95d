import type { Namespace, NativeCurrency, Postern, RequestArguments } from '../types/index'

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
  const { request, member } = queries[namespace]
  const answer = await postern[namespace].request<unknown>(request(address))
  return BigInt(String(member === undefined ? answer : Reflect.get(Object(answer), member)))
}

/** `member`: has the balance in the answer. */
type Query = { readonly request: (address: string) => RequestArguments; readonly member?: string }

const queries: Readonly<Record<Namespace, Query>> = {
  eip155: { request: (address) => ({ method: 'eth_getBalance', params: [address, 'latest'] }) },
  solana: { request: (address) => ({ method: 'getBalance', params: [address] }), member: 'value' },
  bip122: { request: (address) => ({ method: 'bip122_getBalance', params: { address } }), member: 'total' },
}

function formatUnits(value: bigint, decimals: number): string {
  const digits = value.toString().padStart(decimals + 1, '0')
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return digits.slice(0, digits.length - decimals) + (fraction === '' ? '' : `.${fraction}`)
}
