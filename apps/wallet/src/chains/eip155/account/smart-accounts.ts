import * as z from 'zod/mini'
import type { SmartAccounts } from '../../../contract'
import { type Ask, chainOf } from '../endpoints/endpoints'
import { addressOf, HexBytes } from '../endpoints/quantities'
import { safeAddress } from './safe'

export const smartAccounts: SmartAccounts = {
  address: async (addresses) => safeAddress(addressOf(addresses.eip155)),
  isDeployed: (address, context) => hasCode(chainOf(context), address),
}

const Code = z.pipe(
  HexBytes,
  z.transform((code) => code !== '0x'),
)

export function hasCode(ask: Ask, address: string): Promise<boolean> {
  return ask('eth_getCode', [address, 'latest'], Code)
}
