import type { Namespace, NativeCurrency, Postern } from '../types'

export type Balance = {
  readonly status: 'success' | 'error'
  /** In the smallest unit. */
  readonly value?: bigint | undefined
  /** `value` as a decimal. */
  readonly formatted?: string | undefined
  readonly error?: unknown
}

/** The native balance of an account on its network. Never rejects. */
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
  const ask = (method: string, params: unknown[] | object) => postern[namespace].request<unknown>({ method, params })
  if (namespace === 'eip155') return BigInt(String(await ask('eth_getBalance', [address, 'latest'])))
  const answer =
    namespace === 'solana' ? await ask('getBalance', [address]) : await ask('bip122_getBalance', { address })
  return BigInt(String(Reflect.get(Object(answer), namespace === 'solana' ? 'value' : 'total')))
}

function formatUnits(value: bigint, decimals: number): string {
  const digits = value.toString().padStart(decimals + 1, '0')
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return digits.slice(0, digits.length - decimals) + (fraction === '' ? '' : `.${fraction}`)
}
