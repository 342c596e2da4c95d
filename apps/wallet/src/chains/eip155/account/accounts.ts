import { chainIdOf } from '@postern/chains/eip155/adapter'
import { isSameAddress } from '@postern/chains/same-address'
import { Failure } from '@postern/protocol/failure'
import { type Address, isAddress } from 'viem'
import type { ChainContext, EmbeddedAccountType } from '../../../contract'
import { smartChainOf } from '../endpoints/endpoints'
import { addressOf } from '../endpoints/quantities'
import { safeAddress } from './safe'

export type Accounts = {
  readonly chainId: number
  readonly eoa: Address
  readonly smart: Address | null
  readonly active: EmbeddedAccountType
}

export function accountsOf(context: Pick<ChainContext, 'networkId' | 'addresses' | 'page' | 'accountType'>): Accounts {
  const eoa = addressOf(context.addresses.eip155)
  const smart = smartChainOf(context) === undefined ? null : safeAddress(eoa)
  const active = smart === null ? 'eoa' : context.accountType
  return { chainId: chainIdOf(context.networkId), eoa, smart, active }
}

export function listAccounts({ eoa, smart, active }: Accounts): readonly Address[] {
  if (smart === null) return [eoa]
  return active === 'smartAccount' ? [smart, eoa] : [eoa, smart]
}

export type ChosenAccount =
  | { readonly type: 'eoa'; readonly address: Address }
  | { readonly type: 'smartAccount'; readonly address: Address }

/** Defaults to the active account. @throws {Failure} UNAUTHORIZED for another wallet's account */
export function chooseAccount(accounts: Accounts, named: string | undefined): ChosenAccount {
  const account = named === undefined ? defaultAccount(accounts) : ownAccount(accounts, named)
  if (account === null) throw new Failure('UNAUTHORIZED')
  return account
}

export function ownAccount({ eoa, smart }: Accounts, named: unknown): ChosenAccount | null {
  if (typeof named !== 'string' || !isAddress(named, { strict: false })) return null
  if (isSameAddress(named, eoa)) return { type: 'eoa', address: eoa }
  return smart !== null && isSameAddress(named, smart) ? { type: 'smartAccount', address: smart } : null
}

function defaultAccount({ eoa, smart, active }: Accounts): ChosenAccount {
  return active === 'smartAccount' && smart !== null
    ? { type: 'smartAccount', address: smart }
    : { type: 'eoa', address: eoa }
}

/** A Safe changes its owners and modules through calls to itself. @throws {Failure} INVALID_PARAMS */
export function refuseSelfCalls(
  owner: Address,
  calls: readonly { readonly to?: string; readonly data: string }[],
): void {
  const safe = safeAddress(owner)
  if (calls.some(({ to, data }) => to !== undefined && isSameAddress(to, safe) && data !== '0x'))
    throw new Failure('INVALID_PARAMS', { message: 'A site may not change the smart account itself' })
}
