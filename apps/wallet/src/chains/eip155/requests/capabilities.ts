import { parseParams } from '@postern/protocol/validation/params'
import { isAddress, numberToHex } from 'viem'
import * as z from 'zod/mini'
import type { ChainContext } from '../../../contract'
import { type Accounts, chooseAccount } from '../account/accounts'
import { safeAddress } from '../account/safe'
import { Quantity } from '../endpoints/quantities'
import { permissionsCapability } from './permissions'

const Params = z.tuple(
  [
    z.custom<string>((value) => typeof value === 'string' && isAddress(value, { strict: false })),
    z.nullish(z.array(Quantity)),
  ],
  z.unknown(),
)

type Capability =
  | { readonly supported: boolean }
  | { readonly status: 'supported' | 'unsupported' }
  | typeof permissionsCapability

/** By hex chain id; by default for the connected network and those with smart accounts. */
export function capabilities(params: unknown, accounts: Accounts, context: ChainContext) {
  const [address, requested] = parseParams(Params, params)
  const { page } = context
  const smart = new Map(page.smartAccounts.map(({ chainId, paymaster }) => [chainId, paymaster]))
  const knownChainIds = new Set([
    accounts.chainId,
    ...smart.keys(),
    ...page.networks.flatMap(({ id }) => evmChainId(id)),
  ])
  const listed = requested?.map(Number).filter((id) => knownChainIds.has(id)) ?? [accounts.chainId, ...smart.keys()]
  const account = chooseAccount({ ...accounts, smart: safeAddress(accounts.eoa) }, address)
  return Object.fromEntries(
    [...new Set(listed)].map((chainId) => {
      const isSmart = account.type === 'smartAccount' && smart.has(chainId)
      const entry: Record<string, Capability> = {
        atomic: { status: isSmart ? 'supported' : 'unsupported' },
        assetDiscovery: { supported: true },
        paymasterService: { supported: isSmart && smart.get(chainId) === true },
        ...(isSmart && context.smartSessions && { permissions: permissionsCapability }),
      }
      return [numberToHex(chainId), entry]
    }),
  )
}

function evmChainId(id: string): number[] {
  return id.startsWith('eip155:') ? [Number(id.slice('eip155:'.length))] : []
}
