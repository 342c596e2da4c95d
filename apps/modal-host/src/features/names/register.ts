import type { CaipNetworkId, NameClaim, NameProfile, NameRelease, RegisterName, ReleasedName } from '@postern/protocol'
import type { MoneyHost } from '../../snapshot/money'
import { signText } from '../sign-text'

export type Registration = {
  readonly name: string
  readonly address: string
  /** Needed to verify a contract's signature. */
  readonly networkId: CaipNetworkId
}

/** Ethereum's SLIP-44 coin type, for all EVM addresses. */
const coinType = 60

/**
 * Registers a name. Rejects with USER_REJECTED, or with the registry's message.
 *
 * The user signs exactly what is registered: name, address and time (`sign-text.ts`).
 */
export async function registerName(
  { name, address, networkId }: Registration,
  { request, api, clock }: Pick<MoneyHost, 'request' | 'api' | 'clock'>,
): Promise<NameProfile> {
  const claim: NameClaim = { name, address, chainId: networkId, attributes: {}, timestamp: inSeconds(clock.now()) }
  return api.registerName(await signed(claim, request))
}

/** Releases a name likewise. A contract signs on the chain where it registered the name. */
export async function releaseName(
  { name, address, networkId }: Registration,
  { request, api, clock }: Pick<MoneyHost, 'request' | 'api' | 'clock'>,
): Promise<ReleasedName> {
  const claim: NameRelease = { release: name, address, chainId: networkId, timestamp: inSeconds(clock.now()) }
  return api.releaseName(await signed(claim, request))
}

async function signed(claim: NameClaim | NameRelease, request: MoneyHost['request']): Promise<RegisterName> {
  const { address } = claim
  const message = JSON.stringify(claim)
  return { coin_type: coinType, address, message, signature: await signText(request, { address, text: message }) }
}

const inSeconds = (milliseconds: number) => Math.floor(milliseconds / 1000)
