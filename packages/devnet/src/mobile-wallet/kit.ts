/** WalletKit as the devnet wants it: its relay and its networks are all that it speaks with. */
import { WalletKit } from '@reown/walletkit'
import { Core } from '@walletconnect/core'
import { keyValueStorage, type TextStore } from './storage'

export type Kit = Awaited<ReturnType<typeof WalletKit.init>>

/** @param url the wallet's own address, that dapps may send people back to. `end` closes the connection to the relay; sessions stay. */
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
  // Attestations come from a server outside; what a dapp says of itself is all that the devnet has.
  core.verify.resolve = () => Promise.reject(new Error('There are no attestations here.'))
  // The library tells a server outside that it started, telemetry or not.
  core.eventClient.init = async () => undefined
  const kit = await WalletKit.init({
    // The library's own types disagree about what may be undefined.
    core: Object.assign(core, { relayUrl, projectId }),
    metadata: {
      name: 'Devnet Mobile Wallet',
      description: 'A wallet with play money',
      url,
      icons: [],
      redirect: { universal: url },
    },
    // The library would show the next request a second after the last was answered.
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
