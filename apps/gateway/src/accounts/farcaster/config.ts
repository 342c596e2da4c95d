import { type CaipNetworkId, isCaipNetworkId, parseCaipNetworkId } from '@postern/protocol'
import { isAddress } from 'viem'

export type FarcasterConfig = {
  /** Without a trailing slash. */
  readonly relayUrl: string
  /** The gateway must serve it. */
  readonly networkId: CaipNetworkId
  /** Maps a custody address to its fid. */
  readonly idRegistry: `0x${string}`
}

/** Farcaster's own contract, on Optimism. */
const defaults = { network: 'eip155:10', idRegistry: '0x00000000Fc6c5F01Fc30151999387Bb99A9f489b' }

export function readFarcaster(
  env: Readonly<Record<string, string | undefined>>,
  production: boolean,
  problems: string[],
): FarcasterConfig | null {
  const { FARCASTER_RELAY_URL: relay, FARCASTER_NETWORK: network = defaults.network } = env
  const { FARCASTER_ID_REGISTRY: idRegistry = defaults.idRegistry } = env
  if (relay === undefined) return null
  if (!URL.canParse(relay) || !/^https?:\/\/[^@]+$/.test(relay)) {
    problems.push('FARCASTER_RELAY_URL must be an http or https URL')
  } else if (production && !relay.startsWith('https:')) problems.push('FARCASTER_RELAY_URL must be https in production')
  if (!isCaipNetworkId(network) || parseCaipNetworkId(network).namespace !== 'eip155') {
    problems.push('FARCASTER_NETWORK must be an EVM network such as eip155:10')
    return null
  }
  if (!isAddress(idRegistry, { strict: false })) {
    problems.push('FARCASTER_ID_REGISTRY must be an address')
    return null
  }
  return { relayUrl: relay.replace(/\/+$/, ''), networkId: network, idRegistry }
}
