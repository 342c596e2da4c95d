import type { CaipNetworkId } from '@postern/protocol'
import type { Log } from '../../../platform/log/log'
import { createCoinbaseOnRamp } from './coinbase'
import type { OnRampConfig } from './config'
import type { OnRampRoutesOptions } from './routes'

export function createOnRamp(
  config: OnRampConfig | null,
  options: {
    readonly networks: ReadonlyMap<CaipNetworkId, unknown>
    readonly fetch: typeof globalThis.fetch
    readonly log: Pick<Log, 'warn'>
    readonly now: () => number
  },
): OnRampRoutesOptions['onramp'] {
  if (config === null) return null
  const known: ReadonlySet<string> = new Set(options.networks.keys())
  return { config, seller: createCoinbaseOnRamp({ ...options, config, isKnown: (id) => known.has(id) }) }
}
