/** What a component asks for after it was drawn, and loads then. */
import type { Namespace, NativeCurrency, Postern, Siwx } from '../types'
import type { AccountState } from './selectors'

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

/** `unknown` without `siwx`, and until the plugin answered. */
export type SignInStatus = 'unknown' | 'signedIn' | 'signedOut'

/** Whether the account has a session of the dapp's plugin. Never rejects. */
export async function readSignIn(siwx: Siwx | undefined, account: AccountState): Promise<SignInStatus> {
  const { address, networkId } = account
  if (siwx === undefined) return 'unknown'
  if (address === undefined || networkId === undefined) return 'signedOut'
  try {
    return (await siwx.getSessions(networkId, address)).length > 0 ? 'signedIn' : 'signedOut'
  } catch {
    return 'unknown'
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
