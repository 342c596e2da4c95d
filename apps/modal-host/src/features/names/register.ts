import type { CaipNetworkId, NameClaim, NameProfile, NameRelease, RegisterName, ReleasedName } from '@postern/protocol'
import type { MoneyHost } from '../../snapshot/money'
import { signText } from '../sign-text'

export type Registration = {
  /** With its ending. */
  readonly name: string
  readonly address: string
  /** Where the account is, for the signature of one that is a contract. */
  readonly networkId: CaipNetworkId
}

/** SLIP-44's coin type of Ethereum, which the registry keeps EVM addresses under. */
const coinType = 60

/**
 * 1. The owner signs what is registered, word for word: the name, their own address, and when (EIP-191; ERC-1271 or ERC-6492 for a contract).
 * 2. Rejects with the wallet's no (USER_REJECTED), or in the registry's own words.
 */
export async function registerName(
  { name, address, networkId }: Registration,
  { request, api, clock }: Pick<MoneyHost, 'request' | 'api' | 'clock'>,
): Promise<NameProfile> {
  const claim: NameClaim = { name, address, chainId: networkId, attributes: {}, timestamp: inSeconds(clock.now()) }
  return api.registerName(await signed(claim, request))
}

/** Gives a name up, on the same terms: 1 and 2. A contract signs for it where it signed for having it. */
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
