import { type Account, bip122Requests, type CaipNetworkId } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import * as z from 'zod/mini'
import { isAddressOn, networksOfAddress, parseBitcoinAddress } from './address'

/** Far above real wallets. */
export const GrantedAccounts = bip122Requests.bip122_getAccountAddresses.result.check(z.maxLength(256))
export type GrantedAccounts = z.infer<typeof GrantedAccounts>

/**
 * Normalised and distinct. An address with both purposes is a payment address.
 * @throws INTERNAL if an address is invalid, or the addresses fit no common network
 */
export function accountsFrom(granted: GrantedAccounts): readonly Account[] {
  const byAddress = new Map<string, Account>()
  for (const purpose of ['payment', 'ordinals'] as const)
    for (const one of granted.filter((account) => account.purpose === purpose)) {
      const address = parseBitcoinAddress(one.address)?.address
      if (address === undefined) throw new Failure('INTERNAL')
      if (!byAddress.has(address)) byAddress.set(address, toAccount(address, purpose, one))
    }
  const accounts = [...byAddress.values()]
  if (accounts.length > 0 && networksOf(accounts).length === 0) throw new Failure('INTERNAL')
  return accounts
}

function toAccount(
  address: string,
  type: 'payment' | 'ordinals',
  { publicKey, path }: GrantedAccounts[number],
): Account {
  return {
    namespace: 'bip122',
    address,
    type,
    ...(publicKey !== undefined && { publicKey: publicKey.toLowerCase() }),
    ...(path !== undefined && { path }),
  }
}

/** Most likely first. */
export function networksOf(accounts: readonly Account[]): readonly CaipNetworkId[] {
  const [first] = accounts
  const parsed = first && parseBitcoinAddress(first.address)
  return parsed === undefined ? [] : networksOfAddress(parsed).filter((id) => areOn(accounts, id))
}

export function areOn(accounts: readonly Account[], networkId: CaipNetworkId): boolean {
  return accounts.every(({ address }) => isAddressTextOn(address, networkId))
}

export function isAddressTextOn(text: string, networkId: CaipNetworkId): boolean {
  const parsed = parseBitcoinAddress(text)
  return parsed !== undefined && isAddressOn(parsed, networkId)
}
