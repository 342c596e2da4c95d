import { WalletKit } from '@reown/walletkit'
import { Core } from '@walletconnect/core'
import { keyValueStorage, type TextStore } from './storage'

export type Kit = Awaited<ReturnType<typeof WalletKit.init>>

/**
 * Starts WalletKit. `end` closes the connection to the relay; sessions stay.
 * @param url the wallet's own address, to which dapps may redirect users.
 */
export async function startKit({
  relayUrl,
  projectId,
  store,
  url,
}: {
  readonly relayUrl: string
  readonly projectId: string
  readonly store: TextStore
  readonly url: string
}): Promise<{ readonly kit: Kit; end(): Promise<void> }> {
  const customStoragePrefix = `mobile-wallet-${crypto.randomUUID()}`
  const core = new Core({
    projectId,
    relayUrl,
    logger: 'silent',
    telemetryEnabled: false,
    customStoragePrefix,
    storage: keyValueStorage(store, customStoragePrefix),
  })
  // Attestations would come from an external server.
  core.verify.resolve = () => Promise.reject(new Error('This wallet has no attestations.'))
  // The library reports its start to an external server even with telemetry off.
  core.eventClient.init = async () => undefined
  const kit = await WalletKit.init({
    // The library's types disagree about what may be undefined.
    core: Object.assign(core, { relayUrl, projectId }),
    metadata: {
      name: 'Devnet Mobile Wallet',
      description: 'A wallet with play money',
      url,
      icons: [],
      redirect: { universal: url },
    },
    // The queue would delay each request by a second.
    signConfig: { disableRequestQueue: true },
  })
  return {
    kit,
    async end() {
      core.heartbeat.stop()
      await core.relayer.transportClose()
    },
  }
}
